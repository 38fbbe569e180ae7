CREATE TABLE external_links (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  customer_id TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX external_links_by_customer ON external_links (tenant_id, customer_id);
