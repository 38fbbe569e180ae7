CREATE TABLE mentions (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  unread_of TEXT,
  read_of TEXT,
  unread_in TEXT,
  by TEXT,
  at TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX mentions_by_user ON mentions (tenant_id, user_id, at, id);
CREATE INDEX mentions_by_unread ON mentions (tenant_id, unread_of, at, id) WHERE unread_of IS NOT NULL;
CREATE INDEX mentions_by_read ON mentions (tenant_id, read_of, at, id) WHERE read_of IS NOT NULL;
CREATE INDEX mentions_by_unread_in ON mentions (tenant_id, unread_in, at, id) WHERE unread_in IS NOT NULL;
CREATE INDEX mentions_by_author ON mentions (tenant_id, by, at, id) WHERE by IS NOT NULL;
CREATE INDEX mentions_by_conversation ON mentions (tenant_id, conversation_id);
