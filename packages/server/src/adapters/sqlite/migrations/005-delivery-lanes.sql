-- Due attempts are found lane by lane (webhook, first attempts or retries), so that one long lane stands in
-- nobody's way. Leases are kept by the one process that makes deliveries: due_at is the planned time, and a
-- delivery costs one write fewer.
DROP INDEX attempts_due;
DROP INDEX attempts_queue;
ALTER TABLE attempts DROP COLUMN lock_token;
ALTER TABLE attempts ADD COLUMN is_retry INTEGER GENERATED ALWAYS AS (attempt > 1) VIRTUAL;
CREATE INDEX attempts_lanes ON attempts (tenant_id, webhook_id, is_retry, due_at) WHERE status = 'pending';
