-- Rows that name a user are found by the user, for the user's export and deletion.
ALTER TABLE messages ADD COLUMN author_user_id TEXT GENERATED ALWAYS AS (
  CASE json_extract(doc, '$.sender.type') WHEN 'user' THEN json_extract(doc, '$.sender._id') END
) VIRTUAL;
CREATE INDEX messages_by_user ON messages (tenant_id, author_user_id, created_at, id)
  WHERE author_user_id IS NOT NULL;
ALTER TABLE audit_log ADD COLUMN actor_user_id TEXT GENERATED ALWAYS AS (
  CASE json_extract(doc, '$.actor.type') WHEN 'user' THEN json_extract(doc, '$.actor._id') END
) VIRTUAL;
ALTER TABLE audit_log ADD COLUMN target_user_id TEXT GENERATED ALWAYS AS (
  CASE json_extract(doc, '$.target.type') WHEN 'user' THEN json_extract(doc, '$.target._id') END
) VIRTUAL;
CREATE INDEX audit_log_by_actor ON audit_log (tenant_id, actor_user_id, at, id) WHERE actor_user_id IS NOT NULL;
CREATE INDEX audit_log_by_target ON audit_log (tenant_id, target_user_id, at, id) WHERE target_user_id IS NOT NULL;
ALTER TABLE api_keys ADD COLUMN created_by TEXT NOT NULL
  GENERATED ALWAYS AS (json_extract(doc, '$.createdBy')) VIRTUAL;
CREATE INDEX api_keys_by_creator ON api_keys (tenant_id, created_by, created_at, id);
ALTER TABLE sessions ADD COLUMN user_id TEXT NOT NULL GENERATED ALWAYS AS (json_extract(doc, '$.userId')) VIRTUAL;
ALTER TABLE sessions ADD COLUMN created_at TEXT NOT NULL
  GENERATED ALWAYS AS (json_extract(doc, '$.createdAt')) VIRTUAL;
CREATE INDEX sessions_by_user ON sessions (tenant_id, user_id, created_at, id);
-- The deletion of a user hides the events about them too.
DROP INDEX tasks_by_erasure;
ALTER TABLE tasks DROP COLUMN erases;
ALTER TABLE tasks ADD COLUMN erases TEXT GENERATED ALWAYS AS (
  CASE WHEN json_extract(doc, '$.type') IN ('eraseCustomer', 'eraseConversation', 'eraseUser')
  THEN json_extract(doc, '$.subjectId') END
) VIRTUAL;
CREATE INDEX tasks_by_erasure ON tasks (tenant_id, erases) WHERE erases IS NOT NULL;
