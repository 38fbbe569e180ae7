import { activities } from './activities.ts'
import { addressUses } from './address-uses.ts'
import { apiKeys } from './api-keys.ts'
import { attachments } from './attachments.ts'
import { attempts, removedWebhooks, webhookCounts } from './attempts.ts'
import { auditLog } from './audit-log.ts'
import { calls } from './calls.ts'
import { cannedReplies } from './canned-replies.ts'
import { chatMailAddresses, chatMails } from './chat-mails.ts'
import { conversationReads } from './conversation-reads.ts'
import { conversations } from './conversations.ts'
import { customerAddresses } from './customer-addresses.ts'
import { customerMerges } from './customer-merges.ts'
import { customerNotes } from './customer-notes.ts'
import { customers } from './customers.ts'
import type { Declared, KindDefinition } from './define-kind.ts'
import { doors } from './doors.ts'
import { drafts } from './drafts.ts'
import { erasedLinks } from './erased-links.ts'
import { eventSequence, events } from './events.ts'
import { externalLinks } from './external-links.ts'
import { figureDays } from './figure-days.ts'
import { figureMarks } from './figure-marks.ts'
import { figureShares } from './figure-shares.ts'
import { idempotency } from './idempotency.ts'
import { identities } from './identities.ts'
import { importFiles } from './import-files.ts'
import { importIssues } from './import-issues.ts'
import { importLinks } from './import-links.ts'
import { importRuns } from './import-runs.ts'
import { importUndo } from './import-undo.ts'
import { inboundMails } from './inbound-mails.ts'
import { inboxes } from './inboxes.ts'
import { integrations } from './integrations.ts'
import { mailCursors } from './mail-cursors.ts'
import { mailKeys } from './mail-keys.ts'
import { mailSends } from './mail-sends.ts'
import { mentions } from './mentions.ts'
import { messages } from './messages.ts'
import { outboundCounts } from './outbound-counts.ts'
import { packageFiles } from './package-files.ts'
import { privacyRequests } from './privacy-requests.ts'
import { requestMetrics } from './request-metrics.ts'
import { sessions } from './sessions.ts'
import { settings } from './settings.ts'
import { sourceSignIns } from './source-sign-ins.ts'
import { suppressedAddresses } from './suppressed-addresses.ts'
import { tasks } from './tasks.ts'
import { tenantExports } from './tenant-exports.ts'
import { tenants } from './tenants.ts'
import { usage } from './usage.ts'
import { users } from './users.ts'
import { views } from './views.ts'
import { webhooks } from './webhooks.ts'
import { widgetPersons } from './widget-persons.ts'
import { widgetSends } from './widget-sends.ts'
import { widgetSessions } from './widget-sessions.ts'

/**
 * Every kind of row that is stored, in the order in which a copy writes them. A kind is added here and in its own
 * file.
 */
export const kinds = {
  settings,
  tenants,
  identities,
  users,
  sessions,
  apiKeys,
  inboxes,
  mailKeys,
  mailCursors,
  customers,
  customerAddresses,
  customerMerges,
  externalLinks,
  conversations,
  messages,
  mailSends,
  drafts,
  attachments,
  inboundMails,
  widgetSessions,
  widgetPersons,
  widgetSends,
  calls,
  privacyRequests,
  integrations,
  sourceSignIns,
  importRuns,
  importLinks,
  importIssues,
  importUndo,
  importFiles,
  packageFiles,
  tenantExports,
  suppressedAddresses,
  addressUses,
  conversationReads,
  doors,
  outboundCounts,
  chatMails,
  chatMailAddresses,
  customerNotes,
  cannedReplies,
  views,
  activities,
  mentions,
  figureMarks,
  figureShares,
  figureDays,
  webhooks,
  webhookCounts,
  removedWebhooks,
  eventSequence,
  events,
  attempts,
  auditLog,
  idempotency,
  usage,
  requestMetrics,
  tasks,
  erasedLinks,
} as const

type Kinds = typeof kinds
type RowOfKind<D> = D extends KindDefinition<infer Row> ? Row : never
type RulesOfKind<D> = D extends Declared<infer _Row, infer Rules> ? Rules : never

/** Every kind of row that is stored; a copy moves them all. */
export type TransferKind = keyof Kinds
export type TransferRecords = { [K in TransferKind]: RowOfKind<Kinds[K]> }

/** Kinds whose rows both adapters store in the same way, by their declaration. */
export type Kind = { [K in TransferKind]: Kinds[K] extends { declared: object } ? K : never }[TransferKind]
export type Records = { [K in Kind]: RowOfKind<Kinds[K]> }

export type RulesOf<K extends Kind> = RulesOfKind<Kinds[K]>

/** Kinds that a handler of a tenant may write. The others belong to authentication, the usage counters and erasures. */
export type TenantKind = {
  [K in Kind]: RulesOf<K> extends { readonly writtenBy: 'system' } ? never : K
}[Kind]

/** Kinds whose rows belong to rows of other kinds. */
export type OwnedKind = { [K in Kind]: RulesOf<K> extends { readonly owners: object } ? K : never }[Kind]

/** Kinds that can be erased, each with all that belongs to its row. */
export type ErasedKind = {
  [K in Kind]: RulesOf<K> extends { readonly erasure: { readonly task: string } } ? K : never
}[Kind]

type AcrossOf<K extends Kind> = RulesOf<K> extends { readonly acrossTenants: infer A } ? A : object

/** The names by which kinds declare how their rows are found without their tenant. */
export type AcrossName = { [K in Kind]: keyof AcrossOf<K> & string }[Kind]
export type KindAcross<N extends AcrossName> = { [K in Kind]: N extends keyof AcrossOf<K> ? K : never }[Kind]
type DeclaredAcross<K extends Kind, N> = N extends keyof AcrossOf<K> ? AcrossOf<K>[N] : never
export type ColumnAcross<N extends AcrossName> =
  DeclaredAcross<KindAcross<N>, N> extends { readonly columns: readonly (infer C extends string)[] }
    ? C
    : never

/** Kinds that have a list. */
export type ListedKind = { [K in Kind]: RulesOf<K> extends { readonly list: object } ? K : never }[Kind]

type ListOf<K extends ListedKind> = RulesOf<K> extends { readonly list: infer L } ? L : never
type FilterValue<F, Row> = F extends { readonly matches: infer C }
  ? C extends keyof Row
    ? Row[C] extends boolean
      ? boolean
      : string
    : string
  : F extends { readonly splits: string }
    ? boolean
    : F extends { readonly oneOf: string } | { readonly labels: 'all' } | { readonly ids: true }
      ? readonly string[]
      : string
type FiltersOf<L, Row> = L extends { readonly filters: infer F }
  ? { [N in keyof F]?: FilterValue<F[N], Row> | undefined }
  : object

/** The name of an order of the list; the first that is declared is the default. */
export type SortOf<K extends ListedKind> =
  ListOf<K> extends { readonly orders: infer O } ? keyof O & string : never

/** The filters of a kind's list, joined by AND. An unknown or foreign id in a filter finds nothing. */
export type FilterOf<K extends ListedKind> = FiltersOf<ListOf<K>, Records[K]> & {
  sort?: SortOf<K> | undefined
}
