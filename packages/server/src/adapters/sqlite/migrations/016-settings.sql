-- Values of the whole installation, under the empty tenant id.
CREATE TABLE settings (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
