ALTER TABLE messages ADD COLUMN drafter_user_id TEXT;
CREATE INDEX messages_by_drafter ON messages (tenant_id, drafter_user_id, created_at, id)
  WHERE drafter_user_id IS NOT NULL;
