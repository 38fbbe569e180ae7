CREATE TABLE activities (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  conversation_id TEXT NOT NULL,
  actor_user_id TEXT,
  from_user_id TEXT,
  to_user_id TEXT,
  at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX activities_by_conversation ON activities (tenant_id, conversation_id, at, id);
CREATE INDEX activities_by_actor ON activities (tenant_id, actor_user_id, at, id) WHERE actor_user_id IS NOT NULL;
CREATE INDEX activities_by_from_user ON activities (tenant_id, from_user_id, at, id) WHERE from_user_id IS NOT NULL;
CREATE INDEX activities_by_to_user ON activities (tenant_id, to_user_id, at, id) WHERE to_user_id IS NOT NULL;
