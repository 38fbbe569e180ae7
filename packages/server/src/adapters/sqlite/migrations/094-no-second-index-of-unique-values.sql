-- The index that keeps these values unique finds their row.
DROP INDEX calls_by_provider;
DROP INDEX inbound_mails_by_identity;
DROP INDEX suppressed_addresses_by_mailbox;
