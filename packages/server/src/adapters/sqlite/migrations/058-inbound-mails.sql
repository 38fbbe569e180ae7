CREATE TABLE inbound_mails (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  inbox_id TEXT NOT NULL,
  dedup_key TEXT NOT NULL,
  rfc_message_id TEXT,
  created_at TEXT NOT NULL,
  conversation_id TEXT,
  message_id TEXT,
  thread_key TEXT,
  due_at TEXT,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id),
  UNIQUE (tenant_id, dedup_key),
  UNIQUE (tenant_id, thread_key)
) STRICT;
CREATE INDEX inbound_mails_by_created ON inbound_mails (tenant_id, created_at, id);
CREATE INDEX inbound_mails_by_status ON inbound_mails (tenant_id, status, created_at, id);
CREATE INDEX inbound_mails_by_inbox ON inbound_mails (tenant_id, inbox_id, created_at, id);
CREATE INDEX inbound_mails_by_identity ON inbound_mails (tenant_id, dedup_key, created_at, id);
CREATE INDEX inbound_mails_by_thread ON inbound_mails (tenant_id, rfc_message_id, created_at, id) WHERE rfc_message_id IS NOT NULL;
CREATE INDEX inbound_mails_by_conversation ON inbound_mails (tenant_id, conversation_id) WHERE conversation_id IS NOT NULL;
CREATE INDEX inbound_mails_by_message ON inbound_mails (tenant_id, message_id) WHERE message_id IS NOT NULL;
CREATE INDEX inbound_mails_by_due_mails ON inbound_mails (due_at, id) WHERE due_at IS NOT NULL;
