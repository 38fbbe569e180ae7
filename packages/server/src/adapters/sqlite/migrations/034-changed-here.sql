-- Imported rows say in updatedAt when they changed at their source; incremental readers ask when they changed here.
ALTER TABLE customers ADD COLUMN changed_at TEXT NOT NULL GENERATED ALWAYS AS (
  max(json_extract(doc, '$.updatedAt'), coalesce(json_extract(doc, '$.importedAt'), ''))
) VIRTUAL;
CREATE INDEX customers_by_changed ON customers (tenant_id, changed_at);
ALTER TABLE conversations ADD COLUMN changed_at TEXT NOT NULL GENERATED ALWAYS AS (
  max(json_extract(doc, '$.updatedAt'), coalesce(json_extract(doc, '$.importedAt'), ''))
) VIRTUAL;
CREATE INDEX conversations_by_changed ON conversations (tenant_id, changed_at);
UPDATE conversations SET doc = json_set(doc, '$.customFields', json('{}'));
-- The last eight digits of a phone number, by which an import finds customers.
ALTER TABLE customers ADD COLUMN phone_tail TEXT;
UPDATE customers SET phone_tail = (
  WITH RECURSIVE characters (digit, rest) AS (
    SELECT '', json_extract(customers.doc, '$.profile.phone')
    UNION ALL
    SELECT substr(rest, 1, 1), substr(rest, 2) FROM characters WHERE rest <> ''
  )
  SELECT CASE WHEN length(digits) >= 8 THEN substr(digits, -8) END
  FROM (SELECT group_concat(digit, '') AS digits FROM characters WHERE digit GLOB '[0-9]')
) WHERE json_extract(doc, '$.profile.phone') IS NOT NULL;
CREATE INDEX customers_by_phone ON customers (tenant_id, phone_tail) WHERE phone_tail IS NOT NULL;
