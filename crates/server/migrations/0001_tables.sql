-- One schema for SQLite and PostgreSQL: only TEXT and BIGINT. Times are milliseconds since 1970. Tokens, invitation
-- and device codes are kept as hashes only.

CREATE TABLE users (
    id       TEXT PRIMARY KEY,
    name     TEXT NOT NULL,
    login    TEXT UNIQUE,
    password TEXT,
    webhook  TEXT,
    language TEXT NOT NULL,
    created  BIGINT NOT NULL
);

CREATE TABLE tokens (
    hash    TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    created BIGINT NOT NULL
);

CREATE TABLE device_codes (
    hash    TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    expires BIGINT NOT NULL
);

CREATE TABLE games (
    id         TEXT PRIMARY KEY,
    host       TEXT NOT NULL REFERENCES users (id),
    title      TEXT NOT NULL,
    setup      TEXT NOT NULL,
    -- The dice: secret until the game is over.
    seed       TEXT NOT NULL,
    commitment TEXT NOT NULL,
    clock      TEXT NOT NULL,
    visibility TEXT NOT NULL,
    status     TEXT NOT NULL,
    -- Seats that must decide, as bits.
    awaiting   BIGINT NOT NULL,
    -- 1 while a bot must decide: such games are taken up again when the server starts.
    bot_due    BIGINT NOT NULL,
    -- When a clock runs out, if one runs.
    deadline   BIGINT,
    rematch    TEXT,
    -- Decisions that came with an imported file without its seed.
    imported   BIGINT,
    created    BIGINT NOT NULL,
    updated    BIGINT NOT NULL
);

CREATE INDEX games_public ON games (visibility, status, updated);
CREATE INDEX games_due ON games (status, deadline);

CREATE TABLE seats (
    game_id  TEXT NOT NULL REFERENCES games (id),
    seat     BIGINT NOT NULL,
    kind     TEXT NOT NULL,
    user_id  TEXT REFERENCES users (id),
    name     TEXT,
    level    TEXT,
    invite   TEXT,
    archived BIGINT NOT NULL,
    PRIMARY KEY (game_id, seat)
);

CREATE INDEX seats_user ON seats (user_id);

-- Everything that ever happened in a game, append-only. The state of a game is a fold over it.
CREATE TABLE records (
    game_id TEXT NOT NULL REFERENCES games (id),
    seq     BIGINT NOT NULL,
    at      BIGINT NOT NULL,
    body    TEXT NOT NULL,
    PRIMARY KEY (game_id, seq)
);
