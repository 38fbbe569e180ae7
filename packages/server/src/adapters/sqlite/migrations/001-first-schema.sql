-- Every kind has the same five columns: a row number, the tenant, the id, the version and the record as
-- JSON, which comes last because it may be long. The others are copies of what lists filter, sort or join
-- by. Identities belong to no tenant and carry the empty tenant id.

CREATE TABLE tenant_numbers (tenant_id TEXT NOT NULL PRIMARY KEY, number INTEGER NOT NULL UNIQUE) STRICT;
CREATE TABLE heartbeat (id INTEGER PRIMARY KEY, at TEXT NOT NULL) STRICT;

CREATE TABLE tenants (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX tenants_by_id ON tenants (id);

CREATE TABLE identities (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  email TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id), UNIQUE (email)
) STRICT;

CREATE TABLE users (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  email_normalized TEXT NOT NULL, identity_id TEXT NOT NULL, role TEXT NOT NULL, is_active INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id), UNIQUE (tenant_id, email_normalized)
) STRICT;
CREATE INDEX users_by_created ON users (tenant_id, created_at, id);
CREATE INDEX users_by_role ON users (tenant_id, role, is_active);
CREATE INDEX users_by_identity ON users (identity_id, created_at, id);

CREATE TABLE sessions (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  over_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX sessions_by_id ON sessions (id);
CREATE INDEX sessions_by_end ON sessions (over_at);

CREATE TABLE api_keys (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  key_hash TEXT NOT NULL, environment TEXT NOT NULL, is_active INTEGER NOT NULL, created_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id), UNIQUE (key_hash)
) STRICT;
CREATE INDEX api_keys_by_created ON api_keys (tenant_id, created_at, id);
CREATE INDEX api_keys_by_environment ON api_keys (tenant_id, environment, created_at, id);
CREATE INDEX api_keys_by_activity ON api_keys (tenant_id, is_active, created_at, id);

CREATE TABLE inboxes (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX inboxes_by_created ON inboxes (tenant_id, created_at, id);

CREATE TABLE customers (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  tier TEXT NOT NULL, status TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  last_name_key TEXT NOT NULL, search_text TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX customers_by_created ON customers (tenant_id, created_at, id);
CREATE INDEX customers_by_updated ON customers (tenant_id, updated_at, id);
CREATE INDEX customers_by_tier ON customers (tenant_id, tier, created_at, id);
CREATE INDEX customers_by_status ON customers (tenant_id, status, created_at, id);
CREATE INDEX customers_by_last_name ON customers (tenant_id, last_name_key, id);
CREATE TABLE customer_tags (
  tenant_id TEXT NOT NULL, label TEXT NOT NULL, sorted_at TEXT NOT NULL, id TEXT NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, label, sorted_at, id)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE customer_search USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);
INSERT INTO customer_search (customer_search, rank) VALUES ('automerge', 8);

-- Without a status in the filter a list merges the ranges of all four, so each index serves two filters.
CREATE TABLE conversations (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  status TEXT NOT NULL, priority TEXT NOT NULL, priority_rank INTEGER NOT NULL, channel TEXT NOT NULL,
  assigned_to TEXT NOT NULL, inbox_id TEXT NOT NULL, customer_id TEXT, due_at TEXT,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, search_text TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX conversations_by_created ON conversations (tenant_id, created_at, id);
CREATE INDEX conversations_by_urgency ON conversations (tenant_id, priority_rank, id);
CREATE INDEX conversations_by_status ON conversations (tenant_id, status, updated_at, id);
CREATE INDEX conversations_by_priority ON conversations (tenant_id, priority, status, updated_at, id);
CREATE INDEX conversations_by_channel ON conversations (tenant_id, channel, status, updated_at, id);
CREATE INDEX conversations_by_assignee ON conversations (tenant_id, assigned_to, status, updated_at, id);
CREATE INDEX conversations_by_inbox ON conversations (tenant_id, inbox_id, status, updated_at, id);
CREATE INDEX conversations_by_customer ON conversations (tenant_id, customer_id, status, updated_at, id);
CREATE INDEX conversations_by_due ON conversations (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE conversation_labels (
  tenant_id TEXT NOT NULL, label TEXT NOT NULL, sorted_at TEXT NOT NULL, id TEXT NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, label, sorted_at, id)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE conversation_search USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);
INSERT INTO conversation_search (conversation_search, rank) VALUES ('automerge', 8);

CREATE TABLE messages (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  conversation_id TEXT NOT NULL, client_message_id TEXT, created_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id), UNIQUE (tenant_id, conversation_id, client_message_id)
) STRICT;
CREATE INDEX messages_by_created ON messages (tenant_id, conversation_id, created_at, id);
CREATE VIRTUAL TABLE message_search USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);
INSERT INTO message_search (message_search, rank) VALUES ('automerge', 8);

CREATE TABLE webhooks (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  is_active INTEGER NOT NULL, created_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX webhooks_by_created ON webhooks (tenant_id, created_at, id);
CREATE INDEX webhooks_by_activity ON webhooks (tenant_id, is_active, created_at, id);

CREATE TABLE audit_log (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX audit_log_by_time ON audit_log (tenant_id, at, id);

CREATE TABLE idempotency (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  expires_at TEXT NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX idempotency_by_end ON idempotency (expires_at);
CREATE TABLE idempotency_subjects (
  tenant_id TEXT NOT NULL, subject TEXT NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, subject, n)
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT: a position is never given twice, also after the newest events were removed.
CREATE TABLE events (
  position INTEGER PRIMARY KEY AUTOINCREMENT, tenant_id TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
  timestamp TEXT NOT NULL, subjects TEXT NOT NULL, body TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX events_by_time ON events (timestamp);
CREATE TABLE event_subjects (
  tenant_id TEXT NOT NULL, subject TEXT NOT NULL, position INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, subject, position)
) STRICT, WITHOUT ROWID;

-- due_at is when a pending attempt may be claimed next: its planned time, or the end of its lease.
CREATE TABLE attempts (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL, delivery_id TEXT NOT NULL, event TEXT NOT NULL, status TEXT NOT NULL,
  attempt INTEGER NOT NULL, status_code INTEGER, delivered_at TEXT, response_time REAL, error TEXT,
  error_code TEXT, next_attempt_at TEXT, timings TEXT, remote_address TEXT, created_at TEXT NOT NULL,
  due_at TEXT, lock_token TEXT,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE INDEX attempts_by_webhook ON attempts (tenant_id, webhook_id, status, created_at, id);
CREATE INDEX attempts_by_event ON attempts (tenant_id, event_id);
CREATE INDEX attempts_by_time ON attempts (created_at);
CREATE INDEX attempts_due ON attempts (due_at) WHERE status = 'pending';
CREATE INDEX attempts_queue ON attempts (tenant_id, webhook_id, due_at) WHERE status = 'pending';

-- Webhooks whose attempts are still to be removed, in pages.
CREATE TABLE removed_webhooks (
  tenant_id TEXT NOT NULL, id TEXT NOT NULL,
  PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;
