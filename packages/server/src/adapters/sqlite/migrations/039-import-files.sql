CREATE TABLE import_files (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  integration_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX import_files_by_integration ON import_files (tenant_id, integration_id, created_at, id);
