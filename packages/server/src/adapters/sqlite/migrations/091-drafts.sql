CREATE TABLE drafts (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  conversation_id TEXT NOT NULL,
  author_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  due_at TEXT,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id),
  UNIQUE (tenant_id, conversation_id, author_id)
) STRICT;
CREATE INDEX drafts_by_created ON drafts (tenant_id, conversation_id, created_at, id);
CREATE INDEX drafts_by_authored ON drafts (tenant_id, author_id, created_at, id);
CREATE INDEX drafts_by_due_drafts ON drafts (due_at, id) WHERE due_at IS NOT NULL;
