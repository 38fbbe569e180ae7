CREATE TABLE calls (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  status TEXT NOT NULL,
  customer_id TEXT,
  conversation_id TEXT,
  agent_id TEXT,
  call_sid TEXT,
  created_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id),
  UNIQUE (tenant_id, call_sid)
) STRICT;
CREATE INDEX calls_by_created ON calls (tenant_id, created_at, id);
CREATE INDEX calls_by_status ON calls (tenant_id, status, created_at, id);
CREATE INDEX calls_by_customer ON calls (tenant_id, customer_id, created_at, id);
CREATE INDEX calls_by_conversation ON calls (tenant_id, conversation_id, created_at, id);
CREATE INDEX calls_by_agent ON calls (tenant_id, agent_id, created_at, id);
CREATE INDEX calls_by_provider ON calls (tenant_id, call_sid, created_at, id);
