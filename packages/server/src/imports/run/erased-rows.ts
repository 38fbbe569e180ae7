import { ColumnDates } from '../../connectors/files/column-dates.ts'
import { digestOfErased, namesErased } from '../../connectors/files/erased-cells.ts'
import { recordOfRow } from '../../connectors/files/file-record.ts'
import type { FileRow } from '../../connectors/files/file-rows.ts'
import { digestOfRow, digestsOfPerson } from '../../connectors/files/row-digests.ts'
import { ColumnTargets } from '../../connectors/files/suggest-mapping.ts'
import type { Write } from '../../ports/change.ts'
import type { SourceRecord } from '../../ports/connector.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { peopleOfAddress } from '../../shared/people-of-address.ts'
import { readAll } from '../../shared/read-all.ts'
import { bytesIdOf, type ImportFileRecord } from '../../storage/kinds/import-files.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { Stored } from '../../storage/records.ts'
import { externalIdOf } from '../plan/import-context.ts'
import { linksOf } from '../plan/plan-records.ts'
import { kindOf } from '../rules/record-drafts.ts'
import { fileRemovals } from './remove-files.ts'

/*
 * After the erasure of a person, reads of uploaded files leave out their rows. A row is the person's when it has an id that was erased, which
 * its tombstone says, or names one of their addresses. Nobody can find the rows of an address in a file of a gigabyte while a
 * request waits, so the erasure notes the address on each file, and each read leaves its rows out.
 */

/** A file that is read around more people than these is no longer worth keeping. */
const erasedMax = 1_000
const pageSize = 100

interface Erasure {
  customerId: string
  /** In their normal form. */
  addresses: readonly string[]
  now: string
}

/**
 * Returns the writes by which no read shows rows of uploaded files that name one of the addresses, and no import reads them. While
 * another customer has an address, its rows may be theirs.
 */
export async function hiddenRows(
  store: TenantReads,
  { customerId, addresses, now }: Erasure,
): Promise<Write[]> {
  const files = await filesOf(store)
  if (files.length === 0) return []
  const erased: string[] = []
  for (const address of addresses) {
    const { current } = await peopleOfAddress(store, address)
    if (current.every(({ _id }) => _id === customerId)) erased.push(address)
  }
  if (erased.length === 0) return []
  const hidden = files.map((file) => hiddenIn(file, erased))
  // The other files of an archive have the same bytes.
  const lost = new Set(hidden.flatMap(({ file, set }) => (set === undefined ? [bytesIdOf(file)] : [])))
  const removed = files.filter((file) => lost.has(bytesIdOf(file)))
  const updates = hidden.flatMap(({ file, set }): Write[] => {
    if (set === undefined || removed.includes(file)) return []
    return [{ op: 'update', kind: 'importFiles', id: file._id, expectVersion: file.version, set }]
  })
  return [...updates, ...(await fileRemovals(store, { removed, files, now }))]
}

async function filesOf(store: TenantReads): Promise<Stored<ImportFileRecord>[]> {
  const files: Stored<ImportFileRecord>[] = []
  const integrations = readAll<IntegrationRecord>((cursor) =>
    store.integrations.listRows({ page: 1, limit: pageSize, cursor }),
  )
  for await (const { _id: integrationId, provider } of integrations) {
    if (provider !== 'file') continue
    const { rows } = await store.importFiles.listRows({ integrationId, page: 1, limit: pageSize })
    files.push(...rows)
  }
  return files
}

interface Hidden {
  file: Stored<ImportFileRecord>
  /** Undefined for a file that is to be removed. */
  set: Pick<ImportFileRecord, 'erased'> | undefined
}

function hiddenIn(file: Stored<ImportFileRecord>, addresses: readonly string[]): Hidden {
  const digests = addresses.map((address) => digestOfErased(file, address))
  const erased = [...new Set([...(file.erased ?? []), ...digests])]
  // A header that names a person is a row of the file that was taken for the header.
  const isKept = erased.length <= erasedMax && !namesErased(file.headers, { _id: file._id, erased: digests })
  return { file, set: isKept ? { erased } : undefined }
}

interface RowsOfFile<T> {
  store: Pick<TenantReads, 'erasedLinks'>
  integration: Pick<IntegrationRecord, '_id' | 'provider' | 'accountId' | 'mapping'>
  file: ImportFileRecord
  rows: readonly T[]
}

/** A row, with cells that stand in no column. */
type ShownRow = Pick<FileRow, 'row' | 'values'> & { surplus?: readonly unknown[] }

/** Returns the rows of a file that a read may show. */
export async function withoutErased<T extends ShownRow>(of: RowsOfFile<T>): Promise<T[]> {
  const { file, rows } = of
  const left = rows.filter(({ values, surplus = [] }) => !namesErased([...values.values(), ...surplus], file))
  const records = await recordsOf(of, left)
  const ids = await erasedAmong(of, records)
  return left.filter(
    (_, index) => !externalIdsOf(of, records[index]).some(({ externalId }) => ids.has(externalId)),
  )
}

async function recordsOf(
  { integration, file }: Pick<RowsOfFile<ShownRow>, 'integration' | 'file'>,
  rows: readonly ShownRow[],
): Promise<SourceRecord[]> {
  const targets = new ColumnTargets(file.module, file, integration.mapping[file.module])
  // No date says whose a row is.
  const dates = await ColumnDates.of(noRows(), targets)
  return rows.map((row) =>
    recordOfRow(
      file.module,
      { ...row, warnings: [] },
      {
        targets,
        rules: { timeZone: null, dateOrder: 'dmy', isDateOrderChosen: true, chosenOrders: new Map(), dates },
        words: new Map(),
        idsOf: (person) => [digestOfRow(row.values), ...digestsOfPerson(integration._id, person)],
        sameIdOf: () => [],
      },
    ),
  )
}

async function* noRows(): AsyncGenerator<never> {}

function externalIdsOf(
  { integration }: Pick<RowsOfFile<ShownRow>, 'integration'>,
  record: SourceRecord | undefined,
) {
  return (record ? linksOf(record) : []).map((link) => ({
    kind: kindOf(link.module),
    externalId: externalIdOf(integration, link),
  }))
}

async function erasedAmong(
  of: Pick<RowsOfFile<ShownRow>, 'store' | 'integration'>,
  records: readonly SourceRecord[],
): Promise<ReadonlySet<string>> {
  const byKind = Map.groupBy(
    records.flatMap((record) => externalIdsOf(of, record)),
    ({ kind }) => kind,
  )
  const found = await Promise.all(
    [...byKind].map(([kind, some]) => {
      const externalIds = [...new Set(some.map(({ externalId }) => externalId))]
      return of.store.erasedLinks.listAmong({ kind, externalIds })
    }),
  )
  return new Set(found.flat())
}
