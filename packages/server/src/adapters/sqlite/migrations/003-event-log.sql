-- The log of a tenant, also of a few types only, in the order of the positions.
CREATE INDEX events_log ON events (tenant_id, type, position);
