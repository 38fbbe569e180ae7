CREATE TABLE import_undo (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  customer_id TEXT,
  conversation_id TEXT,
  expires_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX import_undo_by_run ON import_undo (tenant_id, run_id, created_at, id);
CREATE INDEX import_undo_by_customer ON import_undo (tenant_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX import_undo_by_conversation ON import_undo (tenant_id, conversation_id) WHERE conversation_id IS NOT NULL;
CREATE INDEX import_undo_by_end ON import_undo (expires_at);
