CREATE TABLE customer_notes (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  customer_id TEXT NOT NULL,
  author_user_id TEXT,
  created_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX customer_notes_by_customer ON customer_notes (tenant_id, customer_id, created_at, id);
CREATE INDEX customer_notes_by_author ON customer_notes (tenant_id, author_user_id, created_at, id) WHERE author_user_id IS NOT NULL;
-- Nobody is known to have written until the upgrade fills it.
ALTER TABLE customers ADD COLUMN last_contact TEXT NOT NULL DEFAULT '';
CREATE INDEX customers_by_last_contact ON customers (tenant_id, last_contact, id);
