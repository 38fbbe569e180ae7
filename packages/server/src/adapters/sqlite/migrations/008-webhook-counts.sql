-- Beside the webhook's row, because every group of results writes it.
CREATE TABLE webhook_counts (
  tenant_id TEXT NOT NULL, webhook_id TEXT NOT NULL, consecutive_failures INTEGER NOT NULL,
  failing_since TEXT, last_success_at TEXT, last_failure_at TEXT,
  PRIMARY KEY (tenant_id, webhook_id)
) STRICT, WITHOUT ROWID;
