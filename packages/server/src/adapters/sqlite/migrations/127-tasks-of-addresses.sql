-- A message can be erased by itself, and an address is.
DROP INDEX tasks_by_erasure;
ALTER TABLE tasks DROP COLUMN erases;
ALTER TABLE tasks ADD COLUMN erases TEXT GENERATED ALWAYS AS (
  CASE WHEN json_extract(doc, '$.type') IN ('eraseCustomer', 'eraseConversation', 'eraseMessage', 'eraseUser')
  THEN json_extract(doc, '$.subjectId') END
) VIRTUAL;
CREATE INDEX tasks_by_erasure ON tasks (tenant_id, erases) WHERE erases IS NOT NULL;
ALTER TABLE tasks ADD COLUMN erased_address TEXT GENERATED ALWAYS AS (
  CASE json_extract(doc, '$.type') WHEN 'eraseAddress' THEN json_extract(doc, '$.targetId') END
) VIRTUAL;
ALTER TABLE tasks ADD COLUMN requested_at TEXT NOT NULL GENERATED ALWAYS AS (json_extract(doc, '$.requestedAt')) VIRTUAL;
CREATE INDEX tasks_by_address ON tasks (tenant_id, erased_address, requested_at, id) WHERE erased_address IS NOT NULL;
