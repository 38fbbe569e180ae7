-- Each of the two indexes holds the other column too: both filters are counted in one walk.
DROP INDEX customers_by_tier;
CREATE INDEX customers_by_tier ON customers (tenant_id, tier, created_at, id, status);
DROP INDEX customers_by_status;
CREATE INDEX customers_by_status ON customers (tenant_id, status, created_at, id, tier);
