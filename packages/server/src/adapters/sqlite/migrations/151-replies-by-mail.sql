CREATE TABLE chat_mails (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  conversation_id TEXT NOT NULL,
  due_at TEXT,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX chat_mails_by_conversation ON chat_mails (tenant_id, conversation_id);
CREATE INDEX chat_mails_by_due_chat_mails ON chat_mails (due_at, id) WHERE due_at IS NOT NULL;
CREATE TABLE chat_mail_addresses (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  ends_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX chat_mail_addresses_by_end ON chat_mail_addresses (ends_at);
ALTER TABLE widget_sessions ADD COLUMN visitor_id TEXT NOT NULL DEFAULT '';
UPDATE widget_sessions SET visitor_id = json_extract(doc, '$.visitorId');
CREATE INDEX widget_sessions_by_visitor ON widget_sessions (tenant_id, visitor_id, created_at, id);
