ALTER TABLE inbound_mails ADD COLUMN unlinked_sender TEXT;
UPDATE inbound_mails SET unlinked_sender = lower(COALESCE(json_extract(doc, '$.from'), json_extract(doc, '$.envelope.from')))
  WHERE conversation_id IS NULL;
CREATE INDEX inbound_mails_by_sender ON inbound_mails (tenant_id, unlinked_sender, created_at, id) WHERE unlinked_sender IS NOT NULL;
