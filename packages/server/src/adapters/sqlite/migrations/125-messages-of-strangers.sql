ALTER TABLE messages ADD COLUMN stranger_address TEXT;
CREATE INDEX messages_by_stranger ON messages (tenant_id, stranger_address, created_at, id) WHERE stranger_address IS NOT NULL;
