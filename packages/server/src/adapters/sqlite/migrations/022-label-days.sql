-- How often each label is used on each day (UTC): counted once for days that are over, and kept right by the triggers from
-- then on. An empty used_by counts every use. New conversations change no day that is over, so a commit seldom pays for it.
CREATE TABLE conversation_label_days (
  tenant_id TEXT NOT NULL, used_by TEXT NOT NULL, label TEXT NOT NULL, day TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, used_by, label, day)
) STRICT, WITHOUT ROWID;
-- The first day of a tenant that is not counted.
CREATE TABLE conversation_label_counted (
  tenant_id TEXT NOT NULL PRIMARY KEY, until TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER conversation_label_uses_added AFTER INSERT ON conversation_label_uses
WHEN new.at < (SELECT until FROM conversation_label_counted WHERE tenant_id = new.tenant_id)
BEGIN
  INSERT INTO conversation_label_days VALUES (new.tenant_id, '', new.label, substr(new.at, 1, 10), 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
  INSERT INTO conversation_label_days
    SELECT new.tenant_id, new.used_by, new.label, substr(new.at, 1, 10), 1 WHERE new.used_by <> ''
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER conversation_label_uses_removed AFTER DELETE ON conversation_label_uses
WHEN old.at < (SELECT until FROM conversation_label_counted WHERE tenant_id = old.tenant_id)
BEGIN
  UPDATE conversation_label_days SET count = count - 1
    WHERE tenant_id = old.tenant_id AND used_by IN ('', old.used_by)
      AND label = old.label AND day = substr(old.at, 1, 10);
END;
