CREATE TABLE source_sign_ins (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  state_hash TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id),
  UNIQUE (state_hash)
) STRICT;
CREATE INDEX source_sign_ins_by_user ON source_sign_ins (tenant_id, user_id, created_at, id);
CREATE INDEX source_sign_ins_by_end ON source_sign_ins (expires_at);
