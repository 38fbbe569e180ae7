-- A visitor's browser names an inbox by the public key of its chat widget.
ALTER TABLE inboxes ADD COLUMN widget_key TEXT
  GENERATED ALWAYS AS (json_extract(doc, '$.widget.publicKey')) VIRTUAL;
CREATE UNIQUE INDEX inboxes_by_widget_keys ON inboxes (widget_key);
ALTER TABLE conversations ADD COLUMN visitor_id TEXT;
CREATE INDEX conversations_by_visitor ON conversations (tenant_id, visitor_id, status, updated_at, id)
  WHERE visitor_id IS NOT NULL;
CREATE TABLE widget_sessions (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  customer_id TEXT,
  created_at TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id),
  UNIQUE (token_hash)
) STRICT;
CREATE INDEX widget_sessions_by_customer ON widget_sessions (tenant_id, customer_id, created_at, id) WHERE customer_id IS NOT NULL;
CREATE INDEX widget_sessions_by_end ON widget_sessions (expires_at);
CREATE TABLE widget_persons (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  customer_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX widget_persons_by_customer ON widget_persons (tenant_id, customer_id, created_at, id);
CREATE TABLE widget_sends (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  conversation_id TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX widget_sends_by_conversation ON widget_sends (tenant_id, conversation_id);
CREATE INDEX widget_sends_by_end ON widget_sends (expires_at);
