import { noEmailSettings } from '@crmkit/core'
import { describe, expect, test } from 'vitest'
import type { AcrossReads } from '../../../src/ports/system-store.ts'
import { type Across, acrossLookups, rulesOf } from '../../../src/storage/kinds/derive.ts'
import { newSurvey } from '../../../src/storage/kinds/import-files.ts'
import { type AcrossName, type Kind, kinds } from '../../../src/storage/kinds/registry.ts'
import type { Document, TenantId } from '../../../src/storage/records.ts'
import { fileOfKind } from './derived-row.contract.ts'
import { type Open, useFreshStorage } from './harness.contract.ts'
import { at, insertOf, sample } from './samples.contract.ts'

/* Every way to find rows without their tenant, as `acrossTenants` of their kind declares it: a new one needs no test here. */

type Row = Document & { _id: string; tenantId: TenantId }
type FieldsOf = (n: number, isFound: boolean) => object

const status = { ok: null, checkedAt: null, error: null, lastMailAt: null }
const server = { host: 'mail.example.com', port: 993, security: 'tls' as const, user: 'support' }
const imap = { ...server, enabled: true, folder: 'INBOX', since: null, status }

const mailboxOf: FieldsOf = (_n, hasImapPassword) => ({
  ...widgetOf(null),
  isActive: true,
  email: { ...noEmailSettings, imap, hasImapPassword },
})

/** Fields with which a row has its n-th value in a computed column, or is not to be found. */
const fieldsOf: Partial<Record<AcrossName, FieldsOf>> = {
  memberships: (n) => ({ identityId: `idn_${n % 2}`, createdAt: at(n) }),
  dueMailSends: (n, isFound) => ({
    inboxId: `inb_${n % 2}`,
    ...(isFound ? { status: 'queued', dueAt: at(n) } : { status: 'done', dueAt: null }),
  }),
  dueSnoozes: (n, isFound) => ({ status: isFound ? 'snoozed' : 'open', snoozedUntil: at(n) }),
  dueAttachments: (n, isFound) => (isFound ? { erasedAt: at(n) } : { erasedAt: null, messageId: 'msg_1' }),
  dueImports: (n, isFound) => ({
    integrationId: `int_${n}`,
    status: isFound ? 'queued' : 'completed',
    createdAt: at(n),
  }),
  dueSurveys: (n, isFound) => ({ survey: { ...newSurvey(at(n)), ...(!isFound && { dueAt: null }) } }),
  dueSyncs: (n, enabled) => ({
    isActive: true,
    reauthRequired: false,
    accountId: `account ${n}`,
    autoSync: { enabled, intervalMinutes: 60, nextRunAt: at(n) },
  }),
  widgetKeys: (n, isFound) => widgetOf(isFound ? `wpk_key_${n}` : null),
  emailAddresses: (n, isFound) => ({
    ...widgetOf(null),
    email: { ...noEmailSettings, address: isFound ? `box${n}@example.com` : null },
  }),
  provenAddresses: (n, isFound) => ({
    ...widgetOf(null),
    email: { ...noEmailSettings, address: `box${n}@example.com`, domainProvenAt: isFound ? at(n) : null },
  }),
  dueFigures: (n, isFound) => ({ subjectId: isFound ? `con_${n}` : '', at: at(n) }),
  dueMails: (n, isFound) => ({ inboxId: `inb_${n % 2}`, dueAt: isFound ? at(n) : null }),
  inboundTokens: (n, isFound) => ({ inboundTokenHash: isFound ? `hash ${n}` : null }),
  previousInboundTokens: (n, isFound) => ({ previousInboundTokenHash: isFound ? `hash ${n}` : null }),
  imapMailboxes: mailboxOf,
  dueMailboxes: mailboxOf,
}

function widgetOf(publicKey: string | null) {
  const { widget } = sample.inboxes('ten_1' as TenantId)
  return { widget: { ...widget, enabled: publicKey !== null, publicKey } }
}

function fieldsFor({ name, kind, columns: [first] }: Across): FieldsOf {
  const own = fieldsOf[name]
  if (own) return own
  const field = (kinds[kind].fields as Readonly<Record<string, { type: string } | undefined>>)[first]
  if (!field)
    throw new TypeError(
      `${name} (${fileOfKind(kind)}) has a computed column: say in ` +
        'packages/server/test/contracts/storage/across.contract.ts which fields give a row a value',
    )
  return (n, isFound) => ({ [first]: isFound ? (field.type === 'moment' ? at(n) : `value ${n}`) : null })
}

function columnOf(kind: Kind, column: string, row: Row): string | null {
  return (rulesOf(kind).computed?.[column]?.of(row) ?? row[column] ?? null) as string | null
}

function isNullable({ kind, columns: [first] }: Across): boolean {
  const fields = kinds[kind].fields as Readonly<Record<string, { isNullable: boolean } | undefined>>
  return rulesOf(kind).computed?.[first]?.isNullable ?? fields[first]?.isNullable ?? false
}

export function describeAcross(open: Open): void {
  describe('rows that are found across tenants', () => {
    const harness = useFreshStorage(open)

    test.each(acrossLookups)(
      '$kind by $name: each with its tenant, in their order, while they have a value',
      async (lookup) => {
        const { name, kind, columns, isUnique } = lookup
        const reads = harness.storage.system.across[name] as AcrossReads<never> as AcrossReads<AcrossName>
        const tenants = [harness.newTenant(), harness.newTenant()] as const
        const makeFields = fieldsFor(lookup)
        const write = (row: Row, of: object) =>
          harness.storage.system.commit(row.tenantId, { writes: [of as never], events: [] })
        const insert = async (n: number, isFound: boolean) => {
          const tenantId = tenants[n % 3 === 0 ? 0 : 1].id
          const fields = { ...makeFields(n, isFound), _id: `${name} ${n}` }
          const row = sample[kind](tenantId, fields as never) as unknown as Row
          await write(row, insertOf(kind, row as never))
          return row
        }
        expect(await reads.first()).toBeUndefined()
        const rows: Row[] = []
        for (const n of [3, 1, 4, 2]) rows.push(await insert(n, true))
        if (isNullable(lookup)) await insert(5, false)

        const firstOf = (row: Row) => columnOf(kind, columns[0], row) as string
        const orderOf = (row: Row) => columns.map((column) => columnOf(kind, column, row)).join(' ')
        const check = async (found: readonly Row[]) => {
          const sorted = found.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
          const as = (some: readonly Row[]) =>
            some.map((row) => ({ tenantId: row.tenantId, row: { ...row, version: 1 } }))
          const firstAfter = (row: Row | undefined) =>
            row && {
              tenantId: row.tenantId,
              columns: Object.fromEntries(columns.map((one) => [one, columnOf(kind, one, row)])),
            }
          for (const value of ['', ...sorted.map(firstOf)]) {
            const [upTo, behind, equal] = [
              sorted.filter((row) => firstOf(row) <= value),
              sorted.filter((row) => firstOf(row) > value),
              sorted.filter((row) => firstOf(row) === value),
            ]
            expect(await reads.due(value, 9)).toStrictEqual(as(upTo))
            expect(await reads.due(value, 1)).toStrictEqual(as(upTo.slice(0, 1)))
            expect(await reads.behind(value, 9)).toStrictEqual(as(behind))
            expect(await reads.behind(value, 1)).toStrictEqual(as(behind.slice(0, 1)))
            expect(await reads.first(value)).toEqual(firstAfter(behind[0]))
            expect(await reads.of(value)).toStrictEqual(as(equal))
            expect(await reads.among(['no such value', value])).toHaveLength(equal.length)
            expect(await reads.of(value, 1)).toStrictEqual(as(equal.slice(0, 1)))
            if (isUnique) expect(await reads.find('no such value', value)).toStrictEqual(as(equal)[0])
          }
        }
        await check(rows)
        const all = await reads.among(rows.map(firstOf))
        expect(all.map(({ row }) => row._id).sort()).toEqual(rows.map(({ _id }) => _id).sort())
        expect(await reads.among([])).toEqual([])
        const [changed, removed, ...others] = rows as [Row, Row, ...Row[]]
        const now = { kind, expectVersion: 1 }
        await write(removed, { ...now, op: 'remove', id: removed._id })
        if (isNullable(lookup)) {
          const { _id, ...set } = makeFields(3, false) as Row
          await write(changed, { ...now, op: 'update', id: changed._id, set })
          await check(others)
        } else await check([changed, ...others])
      },
    )
  })
}
