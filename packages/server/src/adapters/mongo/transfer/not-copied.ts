import type { TransferKind } from '../../../storage/kinds/registry.ts'
import type { CollectionName } from '../connection/collections.ts'

/** Collections that a copy leaves out, each with the reason. A new collection is copied or listed here. */
export const notCopied: Readonly<Record<Exclude<CollectionName, TransferKind>, string>> = {
  memberships: 'derived from users',
  keyHashes: 'derived from API keys',
  widgetKeys: 'derived from inboxes',
  emailAddresses: 'derived from inboxes',
  provenAddresses: 'derived from inboxes',
  inboundTokens: 'derived from inboxes',
  previousInboundTokens: 'derived from inboxes',
  imapMailboxes: 'derived from inboxes',
  dueMailboxes: 'derived from inboxes',
  dueMails: 'derived from mails that wait',
  dueFigures: 'derived from figureMarks',
  widgetTokens: 'derived from widget sessions',
  dueMailSends: 'derived from mails to send',
  remoteSends: 'derived from mails to send',
  signInStates: 'derived from sign-ins at external CRMs',
  dueDrafts: 'derived from drafts',
  dueSnoozes: 'derived from conversations',
  dueAttachments: 'derived from attachments',
  dueImports: 'derived from runs of imports',
  dueSurveys: 'derived from uploaded files',
  dueExports: 'derived from exports of tenants',
  dueChatMails: 'derived from the mail of chats',
  dueDoors: 'derived from doors',
  failingDoors: 'derived from doors',
  dueSyncs: 'derived from integrations',
  dueAttempts: 'derived from pending attempts; leases of the source mean nothing in the target',
  leases: 'belong to processes that use the source',
  serverState: 'each database has its own',
}
