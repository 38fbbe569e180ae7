CREATE TABLE import_issues (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  severity TEXT NOT NULL,
  created_at TEXT NOT NULL,
  customer_id TEXT,
  expires_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX import_issues_by_run ON import_issues (tenant_id, run_id, created_at, id);
CREATE INDEX import_issues_by_severity ON import_issues (tenant_id, severity, created_at, id);
CREATE INDEX import_issues_by_customer ON import_issues (tenant_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX import_issues_by_end ON import_issues (expires_at);
