CREATE TABLE customer_merges (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  customer_id TEXT NOT NULL,
  merged_source TEXT,
  page_of TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX customer_merges_by_customer ON customer_merges (tenant_id, customer_id, created_at, id);
CREATE INDEX customer_merges_by_source ON customer_merges (tenant_id, merged_source, created_at, id) WHERE merged_source IS NOT NULL;
CREATE INDEX customer_merges_by_page ON customer_merges (tenant_id, page_of, created_at, id) WHERE page_of IS NOT NULL;
CREATE INDEX customer_merges_by_end ON customer_merges (expires_at);
