CREATE TABLE views (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  audience TEXT NOT NULL,
  owner_id TEXT,
  customer_id TEXT,
  assigned_to TEXT,
  name TEXT NOT NULL,
  slot INTEGER NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id),
  UNIQUE (tenant_id, audience, slot)
) STRICT;
CREATE INDEX views_by_audience ON views (tenant_id, audience, name, id);
CREATE INDEX views_by_owner ON views (tenant_id, owner_id, name, id) WHERE owner_id IS NOT NULL;
CREATE INDEX views_by_customer ON views (tenant_id, customer_id, name, id) WHERE customer_id IS NOT NULL;
CREATE INDEX views_by_assignee ON views (tenant_id, assigned_to, name, id) WHERE assigned_to IS NOT NULL;
