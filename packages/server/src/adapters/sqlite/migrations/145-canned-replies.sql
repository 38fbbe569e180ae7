CREATE TABLE canned_replies (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  audience TEXT NOT NULL,
  shortcut TEXT NOT NULL,
  owner_id TEXT,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id),
  UNIQUE (tenant_id, audience, shortcut)
) STRICT;
CREATE INDEX canned_replies_by_audience ON canned_replies (tenant_id, audience, shortcut, id);
CREATE INDEX canned_replies_by_owner ON canned_replies (tenant_id, owner_id, audience, shortcut, id) WHERE owner_id IS NOT NULL;
