-- At most one row: how far the copy into this database has come, as JSON.
CREATE TABLE copy_progress (id INTEGER PRIMARY KEY CHECK (id = 1), progress TEXT NOT NULL) STRICT;
