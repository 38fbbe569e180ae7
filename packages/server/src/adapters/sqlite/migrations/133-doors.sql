CREATE TABLE doors (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  state TEXT NOT NULL,
  created_at TEXT NOT NULL,
  check_at TEXT,
  failing_since TEXT,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX doors_by_created ON doors (tenant_id, created_at, id);
CREATE INDEX doors_by_state ON doors (tenant_id, state, created_at, id);
CREATE INDEX doors_by_due_doors ON doors (check_at, id) WHERE check_at IS NOT NULL;
CREATE INDEX doors_by_failing_doors ON doors (failing_since, id) WHERE failing_since IS NOT NULL;
