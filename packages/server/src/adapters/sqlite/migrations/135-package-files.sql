CREATE TABLE package_files (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  integration_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX package_files_by_integration ON package_files (tenant_id, integration_id, created_at, id);
CREATE INDEX package_files_by_end ON package_files (expires_at);
