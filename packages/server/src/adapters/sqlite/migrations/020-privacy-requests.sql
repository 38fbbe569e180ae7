CREATE TABLE privacy_requests (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  type TEXT NOT NULL,
  user_id TEXT NOT NULL,
  due_order TEXT NOT NULL,
  created_at TEXT NOT NULL,
  open_deletion TEXT,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id),
  UNIQUE (tenant_id, open_deletion)
) STRICT;
CREATE INDEX privacy_requests_by_due ON privacy_requests (tenant_id, due_order, id);
CREATE INDEX privacy_requests_by_created ON privacy_requests (tenant_id, created_at, id);
CREATE INDEX privacy_requests_by_status ON privacy_requests (tenant_id, status, due_order, id);
CREATE INDEX privacy_requests_by_type ON privacy_requests (tenant_id, type, due_order, id);
CREATE INDEX privacy_requests_by_user ON privacy_requests (tenant_id, user_id, due_order, id);
