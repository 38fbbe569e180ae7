-- Mailboxes are found by the time at which they are to be read; those of before immediately.
ALTER TABLE inboxes ADD COLUMN mailbox_due TEXT;
UPDATE inboxes SET mailbox_due = '1970-01-01T00:00:00.000Z ' || imap_mailbox WHERE imap_mailbox IS NOT NULL;
CREATE INDEX inboxes_by_due_mailboxes ON inboxes (mailbox_due, id) WHERE mailbox_due IS NOT NULL;
