ALTER TABLE attachments ADD COLUMN draft_id TEXT;
CREATE INDEX attachments_by_draft ON attachments (tenant_id, draft_id) WHERE draft_id IS NOT NULL;
