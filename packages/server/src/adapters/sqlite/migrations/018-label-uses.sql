-- Each use of a label by its time, and for each conversation with labels one use of the empty label.
CREATE TABLE conversation_label_uses (
  tenant_id TEXT NOT NULL, label TEXT NOT NULL, at TEXT NOT NULL, n INTEGER NOT NULL, used_by TEXT NOT NULL,
  PRIMARY KEY (tenant_id, label, at, n)
) STRICT, WITHOUT ROWID;
INSERT INTO conversation_label_uses
  SELECT c.tenant_id, l.value, c.created_at, c.n, c.assigned_to
  FROM conversations AS c, json_each(c.doc, '$.labels') AS l
  UNION ALL
  SELECT tenant_id, '', created_at, n, assigned_to FROM conversations
  WHERE json_array_length(doc, '$.labels') > 0
  ORDER BY 1, 2, 3, 4;
