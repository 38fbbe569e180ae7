import type { TransferKind } from '../../../storage/kinds/registry.ts'
import type { CollectionName } from '../connection/collections.ts'

/** Collections that a copy leaves out, each with the reason. A new collection is copied or stands here. */
export const notCopied: Readonly<Record<Exclude<CollectionName, TransferKind>, string>> = {
  memberships: 'made of users',
  keyHashes: 'made of API keys',
  dueSnoozes: 'made of conversations',
  dueAttachments: 'made of attachments',
  dueAttempts: 'made of pending attempts; leases of the source mean nothing in the target',
  leases: 'of processes that work on the source',
  serverState: 'each database has its own',
}
