CREATE TABLE mail_sends (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  conversation_id TEXT NOT NULL,
  queued_inbox_id TEXT,
  due_at TEXT,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX mail_sends_by_conversation ON mail_sends (tenant_id, conversation_id);
CREATE INDEX mail_sends_by_due_mail_sends ON mail_sends (queued_inbox_id, due_at, id) WHERE queued_inbox_id IS NOT NULL;
