CREATE TABLE integrations (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  provider TEXT NOT NULL,
  account_id TEXT NOT NULL,
  auto_sync_due_at TEXT,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id),
  UNIQUE (tenant_id, provider, account_id)
) STRICT;
CREATE INDEX integrations_by_created ON integrations (tenant_id, created_at, id);
CREATE INDEX integrations_by_due_syncs ON integrations (auto_sync_due_at, id) WHERE auto_sync_due_at IS NOT NULL;
