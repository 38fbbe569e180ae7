DROP INDEX inbound_mails_by_due_mails;
ALTER TABLE inbound_mails ADD COLUMN mail_queue TEXT;
UPDATE inbound_mails SET mail_queue = tenant_id || ' ' || json_extract(doc, '$.inboxId') WHERE due_at IS NOT NULL;
CREATE INDEX inbound_mails_by_due_mails ON inbound_mails (mail_queue, due_at, id) WHERE mail_queue IS NOT NULL;
DROP INDEX inboxes_by_email_addresses;
CREATE INDEX inboxes_by_email_addresses ON inboxes (email_address, id) WHERE email_address IS NOT NULL;
ALTER TABLE inboxes ADD COLUMN proven_address TEXT;
UPDATE inboxes SET proven_address = email_address WHERE json_extract(doc, '$.email.domainProvenAt') IS NOT NULL;
CREATE UNIQUE INDEX inboxes_by_proven_addresses ON inboxes (proven_address);
