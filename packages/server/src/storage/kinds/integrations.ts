import type { Integration } from '@crmkit/core'
import { autoSyncMinutesDefault } from '@crmkit/core/vocabulary'
import { computed, defineKindOf } from './define-kind.ts'
import {
  because,
  flag,
  json,
  moment,
  nullableMoment,
  nullableText,
  nullableWord,
  number,
  optional,
  sealed,
  tenantRow,
  text,
  times,
  word,
} from './fields.ts'

type Later = 'values' | 'dateOrders' | 'handover'

/** Rows of earlier versions have neither `values`, `dateOrders` nor `handover`. */
export interface IntegrationRecord extends Omit<Integration, Later>, Partial<Pick<Integration, Later>> {
  /** Whether a person chose `dateOrder`; absent: no. */
  isDateOrderChosen?: boolean
  /** Origin of the token endpoint; null for files and static tokens. */
  accountsServer: string | null
  /** AES-256-GCM of the `SourceTokens`, bound to tenant and integration id; null for files. */
  sealed: string | null
  /** The run that is queued, running or paused. */
  activeRunId: string | null
  /** The latest run; absent before the first. */
  lastRunId?: string
  /** The moment at the source from which the next automatic sync reads; null: from the beginning. */
  syncedUntil: string | null
  /** When records that were deleted at the source were read last. */
  deletedReadAt: string | null
  /** The time of the source up to which its deletions are known; absent before they were read. */
  deletedReadUntil?: string
  /** Failed automatic runs since the last completed one. */
  failedSyncs: number
  /** Of a package: when the present one began, where it is not the first; it is in the ids of its files. */
  packageSince?: string
  /** Of a package: when a run began to read the present one; null or absent: none has. */
  packageReadAt?: string | null
}

const samples: Pick<Integration, 'syncProgress' | 'importSettings' | 'autoSync'> = {
  syncProgress: { totalRecords: 2, processedRecords: 1, currentModule: 'Contacts', errors: [] },
  importSettings: {
    importContacts: true,
    importDeals: true,
    importTickets: true,
    importNotes: true,
    importActivities: true,
    preserveIds: false,
  },
  autoSync: { enabled: false, intervalMinutes: autoSyncMinutesDefault, nextRunAt: null },
}

export const integrations = defineKindOf<IntegrationRecord>()('integrations', {
  idPrefix: 'int',
  fields: {
    ...tenantRow,
    provider: word('plain'),
    name: because('it says the purpose of the integration', text('plain')),
    accountId: because('an id of an organization', text('plain')),
    accountName: because('it names an organisation', nullableText('plain')),
    accountEmail: because('the address of an organisation', nullableText('plain')),
    apiDomain: because('an address of a server', nullableText('plain')),
    isActive: flag('plain'),
    reauthRequired: flag('plain'),
    lastSyncAt: nullableMoment('plain'),
    syncStatus: word('plain'),
    syncProgress: because('counts of records', json('plain', samples.syncProgress)),
    importSettings: because('switches of an organization', json('plain', samples.importSettings)),
    autoSync: because('how often the service reads the source', json('plain', samples.autoSync)),
    conflict: word('plain'),
    emitEvents: flag('plain'),
    mapping: because(
      'the heads of columns and the names of our fields',
      json('plain', { Contacts: { Nachname: 'lastName' } }),
    ),
    values: optional(
      because(
        'words of a list of a whole export, and what they mean here',
        json('plain', { Cases: { status: { 'Waiting on Customer': 'pending' } } }),
      ),
    ),
    timeZone: because('a name of a time zone, of an organization', nullableText('plain')),
    dateOrder: word('plain'),
    dateOrders: optional(
      because(
        'the heads of columns and the orders of their dates',
        json('plain', { Contacts: { Created: 'mdy' } }),
      ),
    ),
    isDateOrderChosen: optional(flag('internal')),
    defaultCountry: because('a code of a country, of an organization', nullableText('plain')),
    handover: optional(nullableWord('plain')),
    accountsServer: because('an address of a server', nullableText('internal')),
    sealed: sealed(nullableText('secret')),
    activeRunId: nullableText('id'),
    lastRunId: optional(text('id')),
    syncedUntil: nullableMoment('internal'),
    deletedReadAt: nullableMoment('internal'),
    deletedReadUntil: optional(moment('internal')),
    failedSyncs: number('internal'),
    packageSince: optional(moment('internal')),
    packageReadAt: optional(nullableMoment('internal')),
    ...times,
  },
  computed: { autoSyncDueAt: computed.nullableText(autoSyncDueAt) },
  unique: { accountId: ['provider', 'accountId'] },
  list: { orders: { createdAt: { by: 'createdAt', isDescending: false, index: 'created' } } },
  acrossTenants: { dueSyncs: { columns: ['autoSyncDueAt'] } },
  erasure: { rows: 'kept' },
  quota: { unlimited: 'createIntegration counts them: a tenant has at most 50' },
  retention: 'permanent',
})

/** Null for an integration that does not sync by itself, so that it is not in the index of due ones. */
function autoSyncDueAt({ autoSync, isActive, reauthRequired }: IntegrationRecord): string | null {
  return autoSync.enabled && isActive && !reauthRequired ? autoSync.nextRunAt : null
}
