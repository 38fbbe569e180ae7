-- The task of an erasure is its tombstone: what belongs to the subject is out of sight while the task is there.
ALTER TABLE tasks ADD COLUMN erases TEXT GENERATED ALWAYS AS (
  CASE WHEN json_extract(doc, '$.type') IN ('eraseCustomer', 'eraseConversation')
  THEN json_extract(doc, '$.subjectId') END
) VIRTUAL;
CREATE INDEX tasks_by_erasure ON tasks (tenant_id, erases) WHERE erases IS NOT NULL;
