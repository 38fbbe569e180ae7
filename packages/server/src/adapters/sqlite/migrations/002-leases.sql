-- Work of which only one process may do a kind at a time.
CREATE TABLE leases (
  name TEXT PRIMARY KEY, holder TEXT NOT NULL, until TEXT NOT NULL
) STRICT, WITHOUT ROWID;
