-- Also the list of what a customer wrote, in its order.
DROP INDEX messages_by_customer;
CREATE INDEX messages_by_author ON messages (tenant_id, author_customer_id, created_at, id)
  WHERE author_customer_id IS NOT NULL;
