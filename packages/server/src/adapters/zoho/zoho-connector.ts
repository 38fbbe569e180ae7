import type {
  Connector,
  SourceAccount,
  SourceConnection,
  SourceField,
  SourceIdentity,
  SourceModule,
  SourcePage,
  SourceRecord,
  SourceWindow,
} from '../../ports/connector.ts'
import { SourceFailure, sourceModules } from '../../ports/connector.ts'
import { type Json, ZohoClient } from './zoho-client.ts'
import { fieldNames, sourceFieldsOf } from './zoho-fields.ts'
import { richTextsOf, withCutWarning, withFullTexts } from './zoho-full-texts.ts'
import { sourceRecordOf } from './zoho-mapping.ts'
import { isByParent, notesByParent } from './zoho-notes.ts'
import { pageSize, readPage } from './zoho-pages.ts'
import type { ZohoParts } from './zoho-tokens.ts'

const fieldsMax = 50
const idsMax = 100
const deletedPageSize = 200

export function createZohoConnector(parts: ZohoParts): Connector {
  return { provider: 'zoho', open: (account) => new ZohoConnection(parts, account) }
}

type Options = Parameters<SourceConnection['pages']>[1]

class ZohoConnection implements SourceConnection {
  /** The e-mails of a record have no list of a module. */
  readonly lacks: readonly SourceModule[] = ['Emails']
  readonly #client: ZohoClient
  readonly #described = new Map<SourceModule, Promise<readonly Json[] | undefined>>()

  constructor(parts: ZohoParts, account: SourceAccount) {
    this.#client = new ZohoClient(parts, account)
  }

  async identify(signal: AbortSignal): Promise<SourceIdentity> {
    const { json } = await this.#client.get({ path: '/crm/v8/org', signal })
    const org = (json?.['org'] as readonly Json[] | undefined)?.[0]
    if (org === undefined) throw new SourceFailure('transient', 'The source sent no organisation')
    const textOf = (name: string) => (typeof org[name] === 'string' && org[name] !== '' ? org[name] : null)
    return {
      id: String(org['zgid'] ?? org['id']),
      name: textOf('company_name'),
      email: textOf('primary_email'),
      country: textOf('country_code'),
      timeZone: textOf('time_zone'),
    }
  }

  async modules(signal: AbortSignal) {
    const { json } = await this.#client.get({ path: '/crm/v8/settings/modules', signal })
    const listed = (json?.['modules'] as readonly Json[] | undefined) ?? []
    const readable = new Set(
      listed
        .filter((of) => of['api_supported'] === true && of['viewable'] !== false)
        .map((of) => of['api_name']),
    )
    return sourceModules
      .filter((module) => !this.lacks.includes(module))
      .map((module) => ({ module, readable: readable.has(module) }))
  }

  async describe(module: SourceModule, signal: AbortSignal): Promise<SourceField[]> {
    return sourceFieldsOf(module, (await this.#readFields(module, signal)) ?? [])
  }

  async count(module: SourceModule, window: SourceWindow, signal: AbortSignal): Promise<number | null> {
    // The count takes no bounds of time, and notes are not counted.
    if (module === 'Notes' || window.since !== null || window.before !== null) return null
    try {
      const { json } = await this.#client.get({ path: `/crm/v8/${module}/actions/count`, signal })
      return typeof json?.['count'] === 'number' ? json['count'] : null
    } catch (error) {
      if (error instanceof SourceFailure && ['forbidden', 'fatal'].includes(error.kind)) return null
      throw error
    }
  }

  async *pages(module: SourceModule, { window, from, signal }: Options): AsyncGenerator<SourcePage> {
    if (module === 'Notes' && isByParent(from)) {
      yield* notesByParent({ client: this.#client, window, signal }, from)
      return
    }
    const reading = { ...(await this.#reading(module, signal)), window, signal }
    let position = from
    do {
      try {
        const { rows, next, sourceTime } = await readPage({ client: this.#client, ...reading }, position)
        yield { records: await this.#records(reading, rows), next, sourceTime }
        position = next
      } catch (error) {
        const isRefused = error instanceof SourceFailure && error.kind === 'forbidden'
        if (module !== 'Notes' || !isRefused || position !== null) throw error
        // Only admins may list all notes; everybody may list those of a record.
        yield* notesByParent({ client: this.#client, window, signal }, null)
        return
      }
    } while (position !== null)
  }

  async byIds(module: SourceModule, ids: readonly string[], signal: AbortSignal): Promise<SourceRecord[]> {
    const reading = await this.#reading(module, signal)
    const rows = await this.#rowsOf({ module, ids, fields: reading.fields, signal })
    return this.#records({ ...reading, signal }, rows)
  }

  async *deleted(module: SourceModule, since: string, signal: AbortSignal) {
    if (module === 'Notes') return
    let hasMore = true
    for (let page = 1; hasMore; page++) {
      const { json } = await this.#client.get({
        path: `/crm/v8/${module}/deleted`,
        query: { type: 'all', page, per_page: deletedPageSize },
        modifiedSince: since,
        signal,
      })
      const rows = (json?.['data'] as readonly Json[] | undefined) ?? []
      hasMore = (json?.['info'] as Json | undefined)?.['more_records'] === true
      yield rows.map((row) => ({ id: String(row['id']), deletedAt: isoOf(row['deleted_time']) }))
    }
  }

  async close(): Promise<void> {}

  /** The fields of a module; undefined where this grant cannot read them. */
  #readFields(module: SourceModule, signal: AbortSignal): Promise<readonly Json[] | undefined> {
    const known = this.#described.get(module)
    if (known !== undefined) return known
    const reading = this.#client
      .get({ path: '/crm/v8/settings/fields', query: { module }, signal })
      .then(({ json }) => json?.['fields'] as readonly Json[] | undefined)
      .catch((error: unknown) => {
        this.#described.delete(module)
        if (error instanceof SourceFailure && error.kind === 'forbidden') return undefined
        throw error
      })
    this.#described.set(module, reading)
    return reading
  }

  async #reading(module: SourceModule, signal: AbortSignal) {
    const described = await this.#readFields(module, signal)
    const names = fieldNames(module, described)
    return {
      module,
      fields: names.slice(0, fieldsMax),
      moreFields: chunksOf(names.slice(fieldsMax), fieldsMax - 1),
      richTexts: richTextsOf(described, names),
      closedStages: closedStagesOf(described),
    }
  }

  /** Joins the fields that did not fit into the first request; a row that changed in between is asked again. */
  async #records(
    { module, fields, moreFields, richTexts, closedStages, signal }: Reading,
    rows: readonly Json[],
  ): Promise<SourceRecord[]> {
    const joined = new Map(rows.map((row) => [String(row['id']), row]))
    for (const more of moreFields) {
      const names = ['Modified_Time', ...more]
      for (const row of await this.#rowsOf({ module, ids: [...joined.keys()], fields: names, signal })) {
        const id = String(row['id'])
        const first = joined.get(id)
        const isSame = first?.['Modified_Time'] === row['Modified_Time']
        if (isSame) joined.set(id, { ...first, ...row })
        else
          for (const fresh of await this.#wholeRow({ module, id, fields, moreFields, signal }))
            joined.set(id, fresh)
      }
    }
    const reading = { client: this.#client, module, richTexts, signal }
    const whole = await withFullTexts(reading, [...joined.values()])
    return whole.rows.map((row) => {
      const record = sourceRecordOf(row, { module, closedStages })
      return whole.cutIds.has(record.id) ? withCutWarning(record) : record
    })
  }

  async #wholeRow({
    module,
    id,
    fields,
    moreFields,
    signal,
  }: Omit<Reading, 'closedStages' | 'richTexts'> & { id: string }) {
    const parts: Json[] = []
    for (const names of [fields, ...moreFields]) {
      parts.push(...(await this.#rowsOf({ module, ids: [id], fields: names, signal })))
    }
    return parts.length === 0 ? [] : [Object.assign({}, ...parts) as Json]
  }

  async #rowsOf({ module, ids, fields, signal }: RowRequest): Promise<Json[]> {
    const rows: Json[] = []
    for (const chunk of chunksOf(ids, idsMax)) {
      const { json } = await this.#client.get({
        path: `/crm/v8/${module}`,
        query: { ids: chunk.join(','), fields: fields.join(','), per_page: pageSize },
        signal,
      })
      rows.push(...((json?.['data'] as readonly Json[] | undefined) ?? []))
    }
    return rows
  }
}

interface Reading {
  readonly module: SourceModule
  readonly fields: readonly string[]
  readonly moreFields: readonly (readonly string[])[]
  readonly richTexts: readonly string[]
  readonly closedStages: ReadonlySet<string>
  readonly signal: AbortSignal
}

interface RowRequest {
  readonly module: SourceModule
  readonly ids: readonly string[]
  readonly fields: readonly string[]
  readonly signal: AbortSignal
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size))
  return chunks
}

function closedStagesOf(described: readonly Json[] | undefined): ReadonlySet<string> {
  const stage = described?.find((field) => field['api_name'] === 'Stage')
  const values = (stage?.['pick_list_values'] as readonly Json[] | undefined) ?? []
  const closed = values.filter((value) => /closed/i.test(String(value['forecast_type'] ?? '')))
  return new Set(closed.map((value) => String(value['actual_value'])))
}

function isoOf(value: unknown): string | null {
  const ms = Date.parse(String(value))
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}
