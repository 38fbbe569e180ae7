import type {
  AuditEntry,
  QuotaUse,
  RetentionPreview,
  SampleData,
  Tenant,
  TenantExport,
  TenantSetup,
} from '@crmkit/sdk'
import { tenant } from '../operations/tenant.gen.ts'
import type { Column } from '../output/column.ts'
import type { Output } from '../output/output.ts'
import { printJson } from '../output/print-json.ts'
import { printAll } from '../output/print-list.ts'
import { printRecord } from '../output/print-record.ts'
import { assertChange } from './assert-change.ts'
import { nameOfUser } from './conversations/read-names.ts'
import { type Call, withColumns } from './factories/add-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { figuresCommand } from './factories/figures-command.ts'
import { listCommand } from './factories/list-command.ts'
import { resultCommand } from './factories/result-command.ts'
import { monthsOrNever } from './option-values.ts'
import { exportTenant } from './tenant/export.ts'

type SetupStep = TenantSetup['steps'][number]

const columns: readonly Column<Tenant>[] = [
  { title: 'Id', value: (tenant) => tenant._id },
  { title: 'Name', value: (tenant) => tenant.name },
  { title: 'Suspended', value: (tenant) => tenant.isSuspended },
  { title: 'Country', value: (tenant) => tenant.country },
  { title: 'Created', value: (tenant) => tenant.createdAt, isTime: true },
]

/** The column of one quota, on cards only: their number grows with the kinds of resources. */
function usageColumn([name, { used, limit }]: [string, QuotaUse]): Column<Tenant> {
  const value = limit === -1 ? `${used}, unlimited` : `${used} of ${limit}`
  return { title: name, value: () => value, isDetail: true }
}

const auditColumns: readonly Column<AuditEntry>[] = [
  { title: 'When', value: (entry) => entry.at, isTime: true },
  { title: 'Who', value: ({ actor }) => actor._id ?? actor.type, isFlexible: true },
  { title: 'Action', value: (entry) => entry.action },
  { title: 'Target', value: ({ target }) => target._id },
  { title: 'Changed', value: (entry) => entry.changed, isFlexible: true, isOptional: true },
  { title: 'Reason', value: (entry) => entry.reason, isFlexible: true, isOptional: true },
  { title: 'Request', value: (entry) => entry.requestId, isFlexible: true, isOptional: true },
  { title: 'Id', value: (entry) => entry._id, isOptional: true },
  // Last, so that a script that cuts columns out of a pipe keeps working.
  { title: 'Times', value: (entry) => entry.count, isOptional: true },
]

const actorsMax = 1_000

/** People and keys by name: an id begins with its time, so ids of the same day look alike. */
async function namedAuditColumns(
  { crm }: Call,
  rows: readonly AuditEntry[],
): Promise<readonly Column<AuditEntry>[]> {
  const hasKey = rows.some(({ actor }) => actor.type === 'apiKey')
  const [users, keys] = await Promise.all([
    crm.users.list().toArray({ limit: actorsMax }),
    hasKey ? crm.apiKeys.list().toArray({ limit: actorsMax }) : [],
  ])
  const names = new Map([
    ...users.map((user): [string, string] => [user._id, nameOfUser(user)]),
    ...keys.map(({ _id, name }): [string, string] => [_id, `key ${name}`]),
  ])
  const nameOf = (id: string | null) => (id === null ? undefined : names.get(id))
  return auditColumns.map((column) => {
    if (column.title === 'Who')
      return { ...column, textForPeople: ({ actor }) => nameOf(actor._id) ?? actor._id ?? actor.type }
    if (column.title === 'Target')
      return { ...column, textForPeople: ({ target }) => nameOf(target._id) ?? target._id }
    return column
  })
}

interface Retained {
  readonly what: string
  readonly months: number | null
  readonly count: number
  readonly isMore: boolean
  readonly bytes: number | null
}

const retentionColumns: readonly Column<Retained>[] = [
  { title: 'What', value: (row) => row.what },
  { title: 'Months', value: (row) => row.months ?? 'never' },
  { title: 'Would go', value: (row) => `${row.count}${row.isMore ? '+' : ''}` },
  { title: 'Bytes', value: (row) => row.bytes },
]

function printRetention(output: Output, preview: RetentionPreview): Promise<void> | void {
  if (output.json) return printJson(output, preview)
  const { conversations, attachments, closedConversationMonths, attachmentMonths } = preview
  const rows: Retained[] = [
    { what: 'closed conversations', months: closedConversationMonths, bytes: null, ...conversations },
    { what: 'files', months: attachmentMonths, ...attachments },
  ]
  return printAll(output, { rows, columns: retentionColumns, quiet: ({ count }) => String(count) })
}

const setupColumns: readonly Column<SetupStep>[] = [
  { title: 'Step', value: (step) => step.id },
  { title: 'Done', value: (step) => step.done },
  { title: 'Since', value: (step) => step.doneAt, isTime: true },
  { title: 'Detail', value: (step) => step.detail, isFlexible: true },
]

const printSetup = (output: Output, { steps }: TenantSetup): Promise<void> =>
  printAll(output, { rows: steps, columns: setupColumns, quiet: ({ id }) => id })

const sampleColumns: readonly Column<SampleData>[] = [
  { title: 'Id', value: ({ runId }) => runId },
  { title: 'Added', value: ({ addedAt }) => addedAt, isTime: true },
]

interface UsedQuota extends QuotaUse {
  readonly name: string
}

/** Of the quota, in percent; undefined without a limit. */
function percentOf({ used, limit }: QuotaUse): number | undefined {
  if (limit === -1) return undefined
  return limit === 0 ? 100 : Math.round((used / limit) * 1000) / 10
}

const usageColumns: readonly Column<UsedQuota>[] = [
  { title: 'Quota', value: (quota) => quota.name, isFlexible: true },
  { title: 'Used', value: (quota) => quota.used },
  { title: 'Limit', value: (quota) => (quota.limit === -1 ? 'unlimited' : quota.limit) },
  { title: 'Percent', value: (quota) => percentOf(quota) ?? null },
]

const exportColumns: readonly Column<TenantExport>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Status', value: (row) => row.status },
  { title: 'Parts', value: (row) => row.partCount },
  { title: 'Files', value: (row) => row.attachments },
  { title: 'Created', value: (row) => row.createdAt, isTime: true },
  { title: 'Expires', value: (row) => row.expiresAt, isTime: true },
  { title: 'By', value: (row) => row.requestedBy, isOptional: true },
]

export const defineTenant = defineNoun({
  name: 'tenant',
  examples: ['crm tenant audit-log'],
  commands: [
    // Without an id, unlike the `get` of the other nouns: a credential belongs to one tenant.
    resultCommand({
      operation: tenant.get,
      description: 'Show your tenant, with the use and the limit of each quota.',
      examples: ['crm tenant get', 'crm tenant get --json _id,name'],
      hasId: false,
      print: (output, row) => {
        const quotas = Object.entries(row.usage).map(usageColumn)
        printRecord(output, { row, columns: [...columns, ...quotas], quiet: row._id })
      },
    }),
    resultCommand({
      operation: tenant.update,
      description: 'Change your tenant. Fields that you do not name stay as they are.',
      notes:
        'With months, closed conversations and files that are older are erased once a day, for good: see what would go with `crm tenant retention` first. Only an owner may set them.',
      examples: [
        'crm tenant update --name "Example Ltd" --country DE',
        'crm tenant update --attachment-months never',
      ],
      hasId: false,
      options: (command) =>
        command
          .option(
            '--closed-conversation-months <months>',
            'erase closed conversations in which nothing changed for so long, or never',
            monthsOrNever,
          )
          .option('--attachment-months <months>', 'remove files after so long, or never', monthsOrNever),
      send: ({ crm, input: { closedConversationMonths, attachmentMonths, ...fields } }) => {
        const given = { closedConversationMonths, attachmentMonths }
        const retention = Object.fromEntries(
          Object.entries(given).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, value === 'never' ? null : value]],
          ),
        )
        const input = { ...fields, ...(Object.keys(retention).length > 0 && { retention }) }
        assertChange(input)
        return crm.tenant.update(input)
      },
      print: (output, row) => printRecord(output, { row, columns, quiet: row._id }),
    }),
    resultCommand({
      operation: tenant.getRetention,
      name: 'retention',
      description: 'Count what a retention would remove, without removing it.',
      examples: ['crm tenant retention', 'crm tenant retention --closed-conversation-months 24'],
      hasId: false,
      print: printRetention,
    }),
    resultCommand({
      operation: tenant.getSetup,
      name: 'setup',
      description: 'Show what a new team has done, and what is left to do.',
      examples: ['crm tenant setup'],
      hasId: false,
      print: printSetup,
    }),
    resultCommand({
      operation: tenant.updateSetup,
      name: 'update-setup',
      description: 'Hide the check-list of the console, or show it again.',
      examples: ['crm tenant update-setup --dismissed'],
      hasId: false,
      print: printSetup,
    }),
    resultCommand({
      operation: tenant.addSampleData,
      description: 'Add sample customers and conversations, which one command removes again.',
      examples: ['crm tenant add-sample-data'],
      hasId: false,
      print: (output, row) => printRecord(output, { row, columns: sampleColumns, quiet: row.runId }),
    }),
    resultCommand({
      operation: tenant.removeSampleData,
      description: 'Erase the sample customers and conversations, with what people have added to them.',
      examples: ['crm tenant remove-sample-data'],
      hasId: false,
      print: (output, { message }) => output.say(message),
    }),
    figuresCommand({
      name: 'usage',
      description: 'Show how much of each quota the tenant uses, the fullest first.',
      notes: 'The requests of a month are in `crm analytics usage`.',
      examples: ['crm tenant usage', 'crm tenants usage --csv > usage.csv'],
      options: (command) => command,
      need: 'session',
      fetch: ({ crm }) => crm.tenant.get(),
      rowsOf: (tenant: Tenant) =>
        Object.entries(tenant.usage)
          .map(([name, use]): UsedQuota => ({ name, ...use }))
          .sort((a, b) => (percentOf(b) ?? -1) - (percentOf(a) ?? -1)),
      columns: usageColumns,
      barOf: percentOf,
      fullBar: 100,
      quiet: ({ name }) => name,
    }),
    withColumns(
      auditColumns,
      listCommand({
        operation: tenant.auditLog,
        name: 'audit-log',
        summary: 'List every change with its actor',
        description: 'List every change with its actor, newest first: ids and names of fields, no values.',
        examples: [
          'crm tenant audit-log',
          'crm tenant audit-log --all --json at,actor._id,action,target._id',
        ],
        rowName: 'audit entry',
        columnsForPeople: namedAuditColumns,
      }),
    ),
    exportTenant,
    resultCommand({
      operation: tenant.listExports,
      name: 'exports',
      description: 'List the exports of the last 30 days, newest first.',
      examples: ['crm tenant exports'],
      hasId: false,
      print: (output, rows) => printAll(output, { rows, columns: exportColumns, quiet: ({ _id }) => _id }),
    }),
  ],
})
