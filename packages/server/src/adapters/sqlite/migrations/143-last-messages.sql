-- Nobody waits in a conversation of before until it is filled: they are sorted by their last message.
ALTER TABLE conversations ADD COLUMN activity TEXT NOT NULL DEFAULT '';
ALTER TABLE conversations ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0;
UPDATE conversations SET activity = coalesce(json_extract(doc, '$.lastMessageAt'), json_extract(doc, '$.createdAt'), '');
UPDATE conversations
SET waiting = 100000000000000 - coalesce(unixepoch(activity), 0) * 1000 - CAST(substr(activity, 21, 3) AS INTEGER);
CREATE INDEX conversations_by_activity ON conversations (tenant_id, status, activity, id);
CREATE INDEX conversations_by_assignee_activity ON conversations (tenant_id, assigned_to, status, activity, id);
CREATE INDEX conversations_by_inbox_activity ON conversations (tenant_id, inbox_id, status, activity, id);
CREATE INDEX conversations_by_waiting ON conversations (tenant_id, status, waiting, id);
CREATE INDEX conversations_by_assignee_waiting ON conversations (tenant_id, assigned_to, status, waiting, id);
CREATE INDEX conversations_by_inbox_waiting ON conversations (tenant_id, inbox_id, status, waiting, id);
