CREATE TABLE address_uses (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  address TEXT NOT NULL,
  created_at TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX address_uses_by_mailbox ON address_uses (tenant_id, address, created_at, id);
CREATE INDEX address_uses_by_conversation ON address_uses (tenant_id, conversation_id);
