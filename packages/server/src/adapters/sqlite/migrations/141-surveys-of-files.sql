ALTER TABLE import_files ADD COLUMN survey_due_at TEXT;
CREATE INDEX import_files_by_due_surveys ON import_files (survey_due_at, id) WHERE survey_due_at IS NOT NULL;
