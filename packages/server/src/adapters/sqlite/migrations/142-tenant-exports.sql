CREATE TABLE tenant_exports (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  due_at TEXT,
  created_at TEXT NOT NULL,
  kept_until TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX tenant_exports_by_created ON tenant_exports (tenant_id, created_at, id);
CREATE INDEX tenant_exports_by_due_exports ON tenant_exports (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX tenant_exports_by_end ON tenant_exports (kept_until);
