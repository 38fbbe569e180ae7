-- The columns of the stored calls are filled in pages, by the step `phonesOfCalls`.
ALTER TABLE calls ADD COLUMN from_tail TEXT;
ALTER TABLE calls ADD COLUMN to_tail TEXT;
CREATE INDEX calls_by_from ON calls (tenant_id, from_tail, created_at, id) WHERE from_tail IS NOT NULL;
CREATE INDEX calls_by_to ON calls (tenant_id, to_tail, created_at, id) WHERE to_tail IS NOT NULL;
