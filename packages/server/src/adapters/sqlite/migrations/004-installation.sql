-- What tells this installation's data from all others; made once, kept for ever.
CREATE TABLE installation (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO installation (id) VALUES (lower(hex(randomblob(12))));
