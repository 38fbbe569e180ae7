CREATE TABLE suppressed_addresses (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  address TEXT NOT NULL,
  customer_id TEXT,
  created_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id),
  UNIQUE (tenant_id, address)
) STRICT;
CREATE INDEX suppressed_addresses_by_created ON suppressed_addresses (tenant_id, created_at, id);
CREATE INDEX suppressed_addresses_by_customer ON suppressed_addresses (tenant_id, customer_id, created_at, id) WHERE customer_id IS NOT NULL;
CREATE INDEX suppressed_addresses_by_mailbox ON suppressed_addresses (tenant_id, address, created_at, id);
