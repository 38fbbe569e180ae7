-- Requests of a month by method and path, of a tenant (api_key_id is empty) and of each of its keys.
CREATE TABLE usage (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  month TEXT NOT NULL, api_key_id TEXT NOT NULL, expires_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX usage_by_month ON usage (tenant_id, month, api_key_id);
CREATE INDEX usage_by_end ON usage (expires_at);
