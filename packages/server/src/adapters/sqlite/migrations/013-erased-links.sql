-- What came from elsewhere and was erased here, by a digest of its id there: no sync brings it back.
CREATE TABLE erased_links (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
