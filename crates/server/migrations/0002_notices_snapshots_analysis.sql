-- What the page tells people about games they are not looking at. The newest of a kind says it all.
CREATE TABLE notices (
    user_id TEXT NOT NULL REFERENCES users (id),
    game_id TEXT NOT NULL REFERENCES games (id),
    kind    TEXT NOT NULL,
    -- Rises over all notices of the server.
    n       BIGINT NOT NULL,
    at      BIGINT NOT NULL,
    title   TEXT NOT NULL,
    seat    BIGINT,
    PRIMARY KEY (user_id, game_id, kind)
);

CREATE INDEX notices_user ON notices (user_id, n);

-- The newest snapshot of a game: it only makes taking the game up faster. One that does not fit the program or its digest
-- is ignored.
CREATE TABLE snapshots (
    game_id TEXT PRIMARY KEY REFERENCES games (id),
    -- After so many records of the journal.
    records BIGINT NOT NULL,
    version TEXT NOT NULL,
    digest  TEXT NOT NULL,
    body    TEXT NOT NULL
);

-- 1 where whoever created the game allows advice and playing decisions out beforehand.
ALTER TABLE games ADD COLUMN analysis BIGINT NOT NULL DEFAULT 0;
