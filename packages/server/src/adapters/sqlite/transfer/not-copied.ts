/** Tables that a copy leaves out, each with the reason. A new table is copied or stands here. */
export const notCopied: Readonly<Record<string, string>> = {
  tenant_numbers: 'row numbers are given out anew',
  heartbeat: 'each database has its own',
  installation: 'each database has its own: servers on the source and on the target are not one installation',
  leases: 'of processes that work on the source',
  copy_progress: 'about the copy itself',
  customer_tags: 'made of customers',
  customer_search: 'made of customers',
  conversation_labels: 'made of conversations',
  conversation_search: 'made of conversations',
  message_search: 'made of messages',
  idempotency_subjects: 'made of idempotency records',
  event_subjects: 'made of events',
}

/** Columns of copied tables that a copy leaves out, each with the reason. */
export const notCopiedColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  attempts: {
    n: 'row numbers are given out anew',
    due_at: 'worked out of the planned time',
  },
}
