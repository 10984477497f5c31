-- The turn a game is in, for lists; 0 before it is known.
ALTER TABLE games ADD COLUMN turn BIGINT NOT NULL DEFAULT 0;
