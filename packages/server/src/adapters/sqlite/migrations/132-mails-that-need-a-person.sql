ALTER TABLE inbound_mails ADD COLUMN reason TEXT;
ALTER TABLE inbound_mails ADD COLUMN needs_you TEXT;
ALTER TABLE inbound_mails ADD COLUMN needs_you_until TEXT;
UPDATE inbound_mails SET reason = json_extract(doc, '$.reason') WHERE json_extract(doc, '$.reason') IS NOT NULL;
UPDATE inbound_mails SET needs_you = 'yes', needs_you_until = '9999-12-31T23:59:59.999Z' WHERE status = 'parked';
UPDATE inbound_mails SET
  needs_you = 'yes',
  needs_you_until = strftime('%Y-%m-%dT%H:%M:%fZ', json_extract(doc, '$.receivedAt'), '+7 days')
WHERE status = 'ignored' AND reason = 'duplicate' AND json_extract(doc, '$.duplicateOf') IS NOT NULL;
CREATE INDEX inbound_mails_by_reason ON inbound_mails (tenant_id, reason, created_at, id) WHERE reason IS NOT NULL;
CREATE INDEX inbound_mails_by_needs_you ON inbound_mails (tenant_id, needs_you, created_at, id, needs_you_until) WHERE needs_you IS NOT NULL;
