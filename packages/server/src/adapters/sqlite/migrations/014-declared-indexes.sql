-- The indexes as the declarations of the kinds describe them: ties are broken by the id, and tasks are found by theirs.
DROP INDEX conversations_by_due;
CREATE INDEX conversations_by_due ON conversations (due_at, id) WHERE due_at IS NOT NULL;
DROP INDEX attachments_by_due;
CREATE INDEX attachments_by_due ON attachments (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX tasks_by_id ON tasks (id);
-- Pending attempts wait in delivery queues.
DROP INDEX attempts_lanes;
CREATE INDEX attempts_queues ON attempts (tenant_id, webhook_id, is_retry, due_at) WHERE status = 'pending';
