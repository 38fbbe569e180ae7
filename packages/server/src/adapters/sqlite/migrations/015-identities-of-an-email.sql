-- An e-mail can have several identities. The first one holds the e-mail, so that two cannot be the first at once.
CREATE TABLE new_identities (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  email TEXT NOT NULL, created_at TEXT NOT NULL, first_of_email TEXT,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id), UNIQUE (first_of_email)
) STRICT;
INSERT INTO new_identities
  SELECT n, tenant_id, id, version, email, json_extract(doc, '$.createdAt'), email, doc FROM identities;
DROP TABLE identities;
ALTER TABLE new_identities RENAME TO identities;
CREATE INDEX identities_by_email ON identities (tenant_id, email, created_at);
