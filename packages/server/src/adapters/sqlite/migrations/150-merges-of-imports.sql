ALTER TABLE customer_merges ADD COLUMN undone_with TEXT;
CREATE INDEX customer_merges_by_run ON customer_merges (tenant_id, undone_with, created_at, id) WHERE undone_with IS NOT NULL;
