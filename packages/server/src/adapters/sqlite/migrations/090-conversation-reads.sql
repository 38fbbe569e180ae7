CREATE TABLE conversation_reads (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX conversation_reads_by_user ON conversation_reads (tenant_id, user_id, created_at, id);
CREATE INDEX conversation_reads_by_conversation ON conversation_reads (tenant_id, conversation_id);
