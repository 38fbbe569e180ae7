-- A mail names an inbox by its address.
ALTER TABLE inboxes ADD COLUMN email_address TEXT;
CREATE UNIQUE INDEX inboxes_by_email_addresses ON inboxes (email_address);
CREATE TABLE mail_keys (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
