-- Work that a commit has begun and that is too much for one commit.
CREATE TABLE tasks (
  n INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
-- Who wrote a message, where it was a customer: the message goes with its author, whoever's conversation it is in.
ALTER TABLE messages ADD COLUMN author_customer_id TEXT GENERATED ALWAYS AS (
  CASE json_extract(doc, '$.sender.type') WHEN 'customer' THEN json_extract(doc, '$.sender._id') END
) VIRTUAL;
CREATE INDEX messages_by_customer ON messages (tenant_id, author_customer_id)
  WHERE author_customer_id IS NOT NULL;
