-- A count that falls to nothing is deleted: an erased label and a deleted user must not stay in it.
DELETE FROM conversation_label_days WHERE count <= 0;
CREATE TRIGGER conversation_label_days_emptied AFTER UPDATE ON conversation_label_days
WHEN new.count <= 0
BEGIN
  DELETE FROM conversation_label_days
    WHERE tenant_id = new.tenant_id AND used_by = new.used_by AND label = new.label AND day = new.day;
END;
