import {
  type Connector,
  type SourceAccount,
  type SourceConnection,
  SourceFailure,
  type SourceField,
  type SourceIdentity,
  type SourceModule,
  type SourcePage,
  type SourcePosition,
  type SourceRecord,
  type SourceWindow,
} from '../../ports/connector.ts'
import { HubspotClient, type HubspotResponse } from './hubspot-client.ts'
import { linkedTypes, listedLinks, readLinks } from './hubspot-links.ts'
import { extraProperties, mappedProperties, objectTypes, sourceRecordOf } from './hubspot-mapping.ts'
import { apiVersion, type HubspotParts, type Json } from './hubspot-tokens.ts'

const pageSize = 100
const urlLengthMax = 15_000
/** HubSpot does not list archived calls and meetings. */
const modulesWithArchive: readonly SourceModule[] = [
  'Accounts',
  'Contacts',
  'Deals',
  'Cases',
  'Notes',
  'Tasks',
]

export function createHubspotConnector(parts: HubspotParts): Connector {
  return { provider: 'hubspot', open: (account) => new HubspotConnection(parts, account) }
}

/** Lists and searches both continue after an id, so that changes between two pages move no record past them. */
interface Position extends SourcePosition {
  readonly v: 1
  readonly afterId: string | null
}

type ListedPage = SourcePage & { readonly next: Position | null }

interface Reading {
  readonly module: SourceModule
  readonly type: string
  readonly properties: readonly string[]
  readonly closedStages: ReadonlySet<string>
  readonly signal: AbortSignal
}

class HubspotConnection implements SourceConnection {
  readonly #client: HubspotClient
  readonly #described = new Map<string, Promise<readonly Json[]>>()
  readonly #stages = new Map<string, Promise<ReadonlySet<string>>>()

  constructor(parts: HubspotParts, account: SourceAccount) {
    this.#client = new HubspotClient(parts, account)
  }

  async identify(signal: AbortSignal): Promise<SourceIdentity> {
    const { json } = await this.#client.send({ path: `/account-info/${apiVersion}/details`, signal })
    const { portalId, timeZone, uiDomain } = json
    if (portalId === undefined) throw new SourceFailure('transient', 'The source sent no account')
    const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
    return {
      id: String(portalId),
      name: textOf(uiDomain),
      email: null,
      country: null,
      timeZone: textOf(timeZone),
    }
  }

  async describe(module: SourceModule, signal: AbortSignal): Promise<SourceField[]> {
    const type = objectTypes[module]
    if (type === undefined) return []
    return (await this.#readProperties(type, signal)).map((property) => fieldOf(module, property))
  }

  async count(module: SourceModule, window: SourceWindow, signal: AbortSignal): Promise<number | null> {
    const type = objectTypes[module]
    if (type === undefined) return null
    const search = searchOf(module, { window, afterId: null, properties: [], limit: 1 })
    const { json } = await this.#client.send({ path: `${pathOf(type)}/search`, body: search, signal })
    return typeof json['total'] === 'number' ? json['total'] : null
  }

  async *pages(
    module: SourceModule,
    { window, from, signal }: Parameters<SourceConnection['pages']>[1],
  ): AsyncGenerator<SourcePage> {
    const reading = await this.#reading(module, signal)
    if (reading === undefined) {
      yield { records: [], next: null, sourceTime: null }
      return
    }
    const isOpen = window.since === null && window.before === null
    let position: Position | null = (from as Position | null) ?? { v: 1, afterId: null }
    while (position !== null) {
      const { afterId } = position as Position
      const page: ListedPage = isOpen
        ? await this.#listPage(reading, afterId)
        : await this.#searchPage(reading, { window, afterId })
      position = page.next
      yield page
    }
  }

  async byIds(module: SourceModule, ids: readonly string[], signal: AbortSignal): Promise<SourceRecord[]> {
    const reading = await this.#reading(module, signal)
    if (reading === undefined || ids.length === 0) return []
    return this.#recordsOf(reading, await this.#batch(reading, ids))
  }

  async *deleted(module: SourceModule, since: string, signal: AbortSignal) {
    const type = objectTypes[module]
    if (type === undefined || !modulesWithArchive.includes(module)) return
    let after: string | null = null
    do {
      const query: Record<string, string | number | null> = { archived: 'true', limit: pageSize, after }
      const response: HubspotResponse = await this.#client.send({ path: pathOf(type), query, signal })
      const archived = resultsOf(response).filter(({ archivedAt }) => !(String(archivedAt) < since))
      yield archived.map((row) => ({
        id: String(row['id']),
        deletedAt: typeof row['archivedAt'] === 'string' ? row['archivedAt'] : null,
      }))
      after = afterOf(response)
    } while (after !== null)
  }

  async close(): Promise<void> {}

  async #listPage(reading: Reading, afterId: string | null): Promise<ListedPage> {
    const { module, type, properties, closedStages, signal } = reading
    const names = properties.join(',')
    const isLong = names.length > urlLengthMax
    const types = linkedTypes(module)
    const response = await this.#client.send({
      path: pathOf(type),
      query: {
        limit: pageSize,
        after: afterId,
        properties: isLong ? 'hs_object_id' : names,
        associations: types.length > 0 ? types.join(',') : null,
      },
      signal,
    })
    const rows = resultsOf(response)
    // A request body has no limit of a URL.
    const whole = isLong
      ? await this.#batch(
          reading,
          rows.map((row) => String(row['id'])),
        )
      : rows
    const links = new Map(rows.map((row) => [String(row['id']), listedLinks(module, row)]))
    const ids = [...links].flatMap(([id, listed]) => (listed === undefined ? [id] : []))
    const readLinksOf = await readLinks({ client: this.#client, module, ids, signal })
    const records = whole.map((row) => {
      const id = String(row['id'])
      return sourceRecordOf(row, { module, closedStages, links: links.get(id) ?? readLinksOf(id) })
    })
    const after = afterOf(response)
    return { records, next: after === null ? null : { v: 1, afterId: after }, sourceTime: response.date }
  }

  async #searchPage(
    reading: Reading,
    { window, afterId }: { window: SourceWindow; afterId: string | null },
  ): Promise<ListedPage> {
    const { module, type, properties, signal } = reading
    const search = searchOf(module, { window, afterId, properties, limit: pageSize })
    const response = await this.#client.send({ path: `${pathOf(type)}/search`, body: search, signal })
    const rows = resultsOf(response)
    const records = await this.#recordsOf(reading, rows)
    const last = rows.at(-1)
    const next: Position | null =
      rows.length < pageSize || last === undefined ? null : { v: 1, afterId: String(last['id']) }
    return { records, next, sourceTime: response.date }
  }

  async #recordsOf(
    { module, closedStages, signal }: Reading,
    rows: readonly Json[],
  ): Promise<SourceRecord[]> {
    const ids = rows.map((row) => String(row['id']))
    const linksOf = await readLinks({ client: this.#client, module, ids, signal })
    return rows.map((row) => sourceRecordOf(row, { module, closedStages, links: linksOf(String(row['id'])) }))
  }

  async #batch({ type, properties, signal }: Reading, ids: readonly string[]): Promise<readonly Json[]> {
    if (ids.length === 0) return []
    const body = { inputs: ids.map((id) => ({ id })), properties }
    return resultsOf(await this.#client.send({ path: `${pathOf(type)}/batch/read`, body, signal }))
  }

  async #reading(module: SourceModule, signal: AbortSignal): Promise<Reading | undefined> {
    const type = objectTypes[module]
    if (type === undefined) return undefined
    const described = await this.#readProperties(type, signal)
    const custom = described.filter((property) => property['hubspotDefined'] === false).map(nameOf)
    const properties = [
      ...Object.keys(mappedProperties[module]),
      ...(extraProperties[module] ?? []),
      ...custom,
    ]
    const hasStages = module === 'Deals' || module === 'Cases'
    const closedStages = hasStages ? await this.#readStages(type, signal) : new Set<string>()
    return { module, type, properties: [...new Set(properties)], closedStages, signal }
  }

  #readProperties(type: string, signal: AbortSignal): Promise<readonly Json[]> {
    return remembered(this.#described, type, async () =>
      resultsOf(await this.#client.send({ path: `/crm/properties/${apiVersion}/${type}`, signal })),
    )
  }

  #readStages(type: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    return remembered(this.#stages, type, async () => {
      const response = await this.#client.send({ path: `/crm/pipelines/${apiVersion}/${type}`, signal })
      const stages = resultsOf(response).flatMap((pipeline) => (pipeline['stages'] as readonly Json[]) ?? [])
      return new Set(stages.filter(isClosed).map((stage) => String(stage['id'])))
    })
  }
}

/** A failed reading is not remembered. */
function remembered<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const before = known.get(key)
  if (before !== undefined) return before
  const reading = read().catch((error: unknown) => {
    known.delete(key)
    throw error
  })
  known.set(key, reading)
  return reading
}

const pathOf = (type: string) => `/crm/objects/${apiVersion}/${type}`
const nameOf = (property: Json) => String(property['name'])

function resultsOf({ json }: HubspotResponse): readonly Json[] {
  return (json['results'] as readonly Json[] | undefined) ?? []
}

function afterOf({ json }: HubspotResponse): string | null {
  const next = (json['paging'] as Json | undefined)?.['next'] as Json | undefined
  return typeof next?.['after'] === 'string' ? next['after'] : null
}

function isClosed(stage: Json): boolean {
  const metadata = (stage['metadata'] ?? {}) as Json
  return metadata['isClosed'] === 'true' || metadata['ticketState'] === 'CLOSED'
}

interface Search {
  readonly window: SourceWindow
  readonly afterId: string | null
  readonly properties: readonly string[]
  readonly limit: number
}

/** A search takes one order and ends after 10,000 results, so each page searches after the last id. */
function searchOf(module: SourceModule, { window, afterId, properties, limit }: Search): object {
  const changed = module === 'Contacts' ? 'lastmodifieddate' : 'hs_lastmodifieddate'
  const filters = [
    { propertyName: changed, operator: 'GTE', value: window.since },
    { propertyName: changed, operator: 'LT', value: window.before },
    { propertyName: 'hs_object_id', operator: 'GT', value: afterId },
  ].filter(({ value }) => value !== null)
  return {
    filterGroups: filters.length > 0 ? [{ filters: filters.map(withMoment) }] : [],
    sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }],
    properties,
    limit,
  }
}

/** Moments are milliseconds in a search. */
function withMoment(filter: { propertyName: string; operator: string; value: string | null }) {
  const isMoment = filter.propertyName.endsWith('lastmodifieddate')
  return isMoment ? { ...filter, value: String(Date.parse(filter.value ?? '')) } : filter
}

function fieldOf(module: SourceModule, property: Json): SourceField {
  const apiName = nameOf(property)
  const modification = (property['modificationMetadata'] ?? {}) as Json
  const options = (property['options'] as readonly Json[] | undefined) ?? []
  const custom = property['hubspotDefined'] === false
  const isRead = custom || extraProperties[module]?.includes(apiName) === true
  return {
    apiName,
    label: String(property['label'] ?? apiName),
    type: String(property['type'] ?? 'string'),
    required: false,
    readOnly: modification['readOnlyValue'] === true,
    custom,
    maxLength: null,
    options: options.map((option) => ({ value: String(option['value']), label: String(option['label']) })),
    lookupModule: null,
    mappedTo: mappedProperties[module][apiName] ?? (isRead ? `customFields.hubspot.${apiName}` : null),
  }
}
