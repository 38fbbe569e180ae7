-- Customers are found by their e-mail and by their ids in other systems. `lower` folds ASCII letters alone: an e-mail with
-- other capital letters is found after the next change of its customer.
ALTER TABLE customers ADD COLUMN email_normalized TEXT;
UPDATE customers SET
  email_normalized = lower(json_extract(doc, '$.profile.email')),
  doc = json_set(doc, '$.externalIds', json('[]'));
CREATE INDEX customers_by_email ON customers (tenant_id, email_normalized, created_at, id)
  WHERE email_normalized IS NOT NULL;
