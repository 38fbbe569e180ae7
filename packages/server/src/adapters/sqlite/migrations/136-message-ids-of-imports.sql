ALTER TABLE messages ADD COLUMN rfc_message_id TEXT;
CREATE INDEX messages_by_rfc_message ON messages (tenant_id, rfc_message_id, created_at, id) WHERE rfc_message_id IS NOT NULL;
