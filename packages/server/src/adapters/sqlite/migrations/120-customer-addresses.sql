CREATE TABLE customer_addresses (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  address TEXT NOT NULL,
  customer_id TEXT NOT NULL,
  made_by TEXT,
  created_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX customer_addresses_by_address ON customer_addresses (tenant_id, address, created_at, id);
CREATE INDEX customer_addresses_by_customer ON customer_addresses (tenant_id, customer_id, created_at, id);
CREATE INDEX customer_addresses_by_made ON customer_addresses (tenant_id, made_by, created_at, id) WHERE made_by IS NOT NULL;
