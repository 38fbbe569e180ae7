-- Stored mails have no remote key, so that no list holds them: their time stays in the record alone.
ALTER TABLE mail_sends ADD COLUMN remote_key TEXT;
ALTER TABLE mail_sends ADD COLUMN created_at TEXT NOT NULL DEFAULT '';
CREATE INDEX mail_sends_by_remote ON mail_sends (tenant_id, remote_key, created_at, id) WHERE remote_key IS NOT NULL;
CREATE INDEX mail_sends_by_remote_sends ON mail_sends (remote_key, id) WHERE remote_key IS NOT NULL;
