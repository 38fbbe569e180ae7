/** Tables that a copy leaves out, each with the reason. A new table is copied or listed here. */
export const notCopied: Readonly<Record<string, string>> = {
  tenant_numbers: 'row numbers are assigned again',
  heartbeat: 'each database has its own',
  installation: 'each database has its own: servers on the source and on the target are not one installation',
  leases: 'belong to processes that use the source',
  copy_progress: 'about the copy itself',
  customer_tags: 'derived from customers',
  customer_search: 'derived from customers',
  conversation_labels: 'derived from conversations',
  conversation_label_uses: 'derived from conversations',
  conversation_label_days: 'derived from conversations',
  conversation_label_counted: 'derived from conversations',
  conversation_search: 'derived from conversations',
  message_search: 'derived from messages',
  idempotency_subjects: 'derived from idempotency records',
  event_subjects: 'derived from events',
}

/** Columns of copied tables that a copy leaves out, each with the reason. */
export const notCopiedColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  attempts: {
    n: 'row numbers are assigned again',
    due_at: 'derived from the planned time',
  },
}
