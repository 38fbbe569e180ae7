-- Outcomes and response times of the requests of a tenant, one row for each month.
CREATE TABLE request_metrics (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  expires_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX request_metrics_by_end ON request_metrics (expires_at);
