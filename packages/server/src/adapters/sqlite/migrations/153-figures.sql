CREATE TABLE figure_marks (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  marked_tenant TEXT,
  marked_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX figure_marks_by_due_figures ON figure_marks (marked_tenant, marked_at, id) WHERE marked_tenant IS NOT NULL;
CREATE TABLE figure_shares (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  customer_id TEXT,
  expires_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX figure_shares_by_customer ON figure_shares (tenant_id, customer_id, expires_at, id) WHERE customer_id IS NOT NULL;
CREATE INDEX figure_shares_by_end ON figure_shares (expires_at);
CREATE TABLE figure_days (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  grouping TEXT NOT NULL,
  day TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX figure_days_by_grouping ON figure_days (tenant_id, grouping, day, id);
CREATE INDEX figure_days_by_end ON figure_days (expires_at);
