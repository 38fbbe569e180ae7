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
import { ContactCompanies } from './hubspot-companies.ts'
import { linkedTypes, listedLinks, readLinks } from './hubspot-links.ts'
import { type Links, objectTypes, sourceRecordOf } from './hubspot-mapping.ts'
import { fieldOf, propertiesToRead } from './hubspot-properties.ts'
import { afterOf, remembered, resultsOf } from './hubspot-replies.ts'
import { isOfMessage, isOfThreads, messagesByIds, threadPages } from './hubspot-threads.ts'
import { apiVersion, type HubspotParts, type Json } from './hubspot-tokens.ts'
import { PortalWords, type Vocabulary } from './hubspot-vocabulary.ts'

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
  readonly words: Vocabulary
  readonly signal: AbortSignal
}

class HubspotConnection implements SourceConnection {
  readonly #client: HubspotClient
  readonly #described = new Map<string, Promise<readonly Json[]>>()
  readonly #words: PortalWords
  readonly #companies: ContactCompanies

  constructor(parts: HubspotParts, account: SourceAccount) {
    this.#client = new HubspotClient(parts, account)
    this.#words = new PortalWords(this.#client)
    this.#companies = new ContactCompanies(this.#client)
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
    const threads = { v: 1, part: 'threads', after: null } as const
    let position: Position | null = isOfThreads(from)
      ? null
      : ((from as Position | null) ?? { v: 1, afterId: null })
    while (position !== null) {
      const { afterId } = position as Position
      const page: ListedPage = isOpen
        ? await this.#listPage(reading, afterId)
        : await this.#searchPage(reading, { window, afterId })
      position = page.next
      yield module === 'Emails' ? { ...page, next: position ?? threads } : page
    }
    if (module !== 'Emails') return
    const owners = await this.#words.owners(signal)
    yield* threadPages({ client: this.#client, owners, window, signal }, isOfThreads(from) ? from : threads)
  }

  async byIds(module: SourceModule, ids: readonly string[], signal: AbortSignal): Promise<SourceRecord[]> {
    const reading = await this.#reading(module, signal)
    if (reading === undefined || ids.length === 0) return []
    const [messages, objects] = [ids.filter(isOfMessage), ids.filter((id) => !isOfMessage(id))]
    const records = await this.#recordsOf(reading, await this.#batch(reading, objects))
    if (messages.length === 0) return records
    const owners = await this.#words.owners(signal)
    const window = { since: null, before: null }
    return [...records, ...(await messagesByIds({ client: this.#client, owners, window, signal }, messages))]
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
      after = afterOf(response.json)
    } while (after !== null)
  }

  async close(): Promise<void> {}

  async #listPage(reading: Reading, afterId: string | null): Promise<ListedPage> {
    const { module, type, properties, signal } = reading
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
    const records = await this.#named(reading, whole, (id) => links.get(id) ?? readLinksOf(id))
    const after = afterOf(response.json)
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

  async #recordsOf(reading: Reading, rows: readonly Json[]): Promise<SourceRecord[]> {
    const { module, signal } = reading
    const ids = rows.map((row) => String(row['id']))
    return this.#named(reading, rows, await readLinks({ client: this.#client, module, ids, signal }))
  }

  async #named(
    { module, words, signal }: Reading,
    rows: readonly Json[],
    linksOf: (id: string) => Links,
  ): Promise<SourceRecord[]> {
    const ids = module === 'Contacts' ? rows.map((row) => String(row['id'])) : []
    const companies = await this.#companies.of(ids, signal)
    return rows.filter(wasSent).map((row) => {
      const id = String(row['id'])
      return sourceRecordOf(row, { module, words, links: linksOf(id), company: companies.get(id) })
    })
  }

  async #batch({ type, properties, signal }: Reading, ids: readonly string[]): Promise<readonly Json[]> {
    if (ids.length === 0) return []
    const body = { inputs: ids.map((id) => ({ id })), properties, propertiesWithHistory: [] }
    return resultsOf(await this.#client.send({ path: `${pathOf(type)}/batch/read`, body, signal }))
  }

  async #reading(module: SourceModule, signal: AbortSignal): Promise<Reading | undefined> {
    const type = objectTypes[module]
    if (type === undefined) return undefined
    const described = await this.#readProperties(type, signal)
    const words = await this.#words.read(type, described, signal)
    return { module, type, properties: propertiesToRead(module, described), words, signal }
  }

  #readProperties(type: string, signal: AbortSignal): Promise<readonly Json[]> {
    return remembered(this.#described, type, async () =>
      resultsOf(await this.#client.send({ path: `/crm/properties/${apiVersion}/${type}`, signal })),
    )
  }
}

const pathOf = (type: string) => `/crm/objects/${apiVersion}/${type}`

/** An e-mail that waits for its time is none yet. */
function wasSent({ properties }: Json): boolean {
  const status = ((properties ?? {}) as Json)['hs_email_status']
  return status !== 'SCHEDULED' && status !== 'SENDING'
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
    // The document requires it, and a search begins at the first result without one.
    after: '0',
  }
}

/** Moments are milliseconds in a search. */
function withMoment(filter: { propertyName: string; operator: string; value: string | null }) {
  const isMoment = filter.propertyName.endsWith('lastmodifieddate')
  return isMoment ? { ...filter, value: String(Date.parse(filter.value ?? '')) } : filter
}
