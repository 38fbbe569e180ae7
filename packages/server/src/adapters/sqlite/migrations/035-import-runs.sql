CREATE TABLE import_runs (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  integration_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  active_of TEXT,
  due_at TEXT,
  expires_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id),
  UNIQUE (tenant_id, active_of)
) STRICT;
CREATE INDEX import_runs_by_integration ON import_runs (tenant_id, integration_id, created_at, id);
CREATE INDEX import_runs_by_due_imports ON import_runs (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX import_runs_by_end ON import_runs (expires_at);
