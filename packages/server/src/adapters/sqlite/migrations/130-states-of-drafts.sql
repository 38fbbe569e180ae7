ALTER TABLE drafts ADD COLUMN updated_at TEXT NOT NULL DEFAULT '';
ALTER TABLE drafts ADD COLUMN unsent_of TEXT;
ALTER TABLE drafts ADD COLUMN planned_of TEXT;
UPDATE drafts SET
  updated_at = json_extract(doc, '$.updatedAt'),
  unsent_of = CASE WHEN json_extract(doc, '$.sendError') IS NULL THEN NULL ELSE author_id END,
  planned_of = CASE WHEN json_extract(doc, '$.sendAt') IS NULL THEN NULL ELSE author_id END;
CREATE INDEX drafts_by_unsent ON drafts (tenant_id, unsent_of, updated_at, id) WHERE unsent_of IS NOT NULL;
CREATE INDEX drafts_by_planned ON drafts (tenant_id, planned_of, updated_at, id) WHERE planned_of IS NOT NULL;
