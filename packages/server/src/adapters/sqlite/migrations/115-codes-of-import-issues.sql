ALTER TABLE import_issues ADD COLUMN code TEXT NOT NULL DEFAULT '';
UPDATE import_issues SET code = json_extract(doc, '$.code');
CREATE INDEX import_issues_by_code ON import_issues (tenant_id, code, created_at, id);
