CREATE TABLE attachments (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  message_id TEXT, due_at TEXT,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX attachments_by_message ON attachments (tenant_id, message_id) WHERE message_id IS NOT NULL;
-- Those that are to be removed, once their bytes are.
CREATE INDEX attachments_by_due ON attachments (due_at) WHERE due_at IS NOT NULL;
