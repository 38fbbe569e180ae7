-- Inboxes with a mailbox to read are found without their tenant.
ALTER TABLE inboxes ADD COLUMN imap_mailbox TEXT;
UPDATE inboxes SET imap_mailbox = tenant_id || ' ' || id
  WHERE json_extract(doc, '$.isActive') AND json_extract(doc, '$.email.imap.enabled')
    AND json_extract(doc, '$.email.hasImapPassword');
CREATE INDEX inboxes_by_imap_mailboxes ON inboxes (imap_mailbox, id) WHERE imap_mailbox IS NOT NULL;
CREATE TABLE mail_cursors (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
