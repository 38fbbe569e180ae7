CREATE TABLE import_links (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  made_rows TEXT,
  created_at TEXT NOT NULL,
  customer_id TEXT,
  conversation_id TEXT,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX import_links_by_made ON import_links (tenant_id, made_rows, created_at, id) WHERE made_rows IS NOT NULL;
CREATE INDEX import_links_by_customer ON import_links (tenant_id, customer_id, created_at, id) WHERE customer_id IS NOT NULL;
CREATE INDEX import_links_by_conversation ON import_links (tenant_id, conversation_id) WHERE conversation_id IS NOT NULL;
