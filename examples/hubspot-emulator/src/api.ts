import { ObjectSet, type ObjectType, objectTypes, type StoredObject } from './objects.ts'
import { owners, pipelines, propertyOf, ticketPipelines } from './portal.ts'
import { failed, type Reply } from './reply.ts'
import { Threads } from './threads.ts'

export interface ApiOptions {
  /** Objects by type; default: none. */
  counts?: Partial<Record<ObjectType, number>>
  /** Properties `custom_1` … of every type. */
  customProperties?: number
  /** Objects of each other type that an object is linked to; default: 1. The first ids come last. */
  linksOfObject?: number
  /** Threads of conversations, each of the ticket with its number; default: none. */
  threads?: number
}

interface Asked {
  path: string
  query: URLSearchParams
  body: string
}

interface Filter {
  propertyName: string
  operator: string
  value: string
}

const version = '2026-03'
const searchMax = 10_000
const account = {
  portalId: 4711,
  accountType: 'STANDARD',
  timeZone: 'Europe/Dublin',
  companyCurrency: 'EUR',
  additionalCurrencies: [],
  utcOffset: '+01:00',
  utcOffsetMilliseconds: 3_600_000,
  uiDomain: 'app.hubspot.com',
  dataHostingLocation: 'eu1',
}

/** The API of one portal. */
export class Api {
  readonly #sets: ReadonlyMap<string, ObjectSet>
  readonly #options: ApiOptions
  readonly #refused = new Set<string>()
  readonly threads: Threads

  constructor(options: ApiOptions) {
    this.#options = options
    this.threads = new Threads(options.threads ?? 0)
    this.#sets = new Map(objectTypes.map((type) => [type, new ObjectSet(type, options.counts?.[type] ?? 0)]))
  }

  objects(type: ObjectType): ObjectSet {
    return this.#sets.get(type) as ObjectSet
  }

  /** Refuses every path with this text, as those of a scope that was not granted. */
  refuse(text: string): void {
    this.#refused.add(text)
  }

  respond({ path, query, body }: Asked): Reply {
    if ([...this.#refused].some((text) => path.includes(text))) return failed(403, 'MISSING_SCOPES')
    if (path === `/account-info/${version}/details`) return { status: 200, body: account }
    if (path === `/crm/owners/${version}`) {
      const archived = query.get('archived') === 'true'
      return { status: 200, body: { results: owners.filter((owner) => owner.archived === archived) } }
    }
    if (path.startsWith('/conversations/')) return this.threads.respond(path, query)
    const [, area, given, type = '', rest = ''] =
      /^\/crm\/(objects|associations|properties|pipelines)\/([^/]+)\/(\w+)(\/.*)?$/.exec(path) ?? []
    const set = this.#sets.get(type)
    if (area === undefined || given !== version || set === undefined) return failed(404, 'OBJECT_NOT_FOUND')
    const sent = body === '' ? {} : JSON.parse(body)
    if (area === 'properties') return { status: 200, body: { results: this.#properties(set) } }
    if (area === 'pipelines') {
      return { status: 200, body: { results: type === 'deals' ? pipelines : ticketPipelines } }
    }
    if (area === 'associations') return this.#associations(type, rest, sent)
    if (rest === '/search') return search(set, type, sent)
    if (rest === '/batch/read') return batch(set, sent)
    return this.#list(set, query)
  }

  #properties(set: ObjectSet): object[] {
    const own = Object.keys(set.at(0).properties).map((name) => propertyOf(name, true))
    const count = this.#options.customProperties ?? 0
    const custom = Array.from({ length: count }, (_, index) => propertyOf(`custom_${index + 1}`, false))
    return [...own, ...custom]
  }

  #list(set: ObjectSet, query: URLSearchParams): Reply {
    const limit = Math.min(Number(query.get('limit') ?? 10), 100)
    if (query.get('archived') === 'true')
      return archived(set, { limit, after: Number(query.get('after') ?? 0) })
    const names = (query.get('properties') ?? '').split(',')
    const found: StoredObject[] = []
    for (const object of set.after(query.get('after'))) {
      found.push(object)
      if (found.length > limit) break
    }
    const page = found.slice(0, limit)
    const types = (query.get('associations') ?? '').split(',').filter((type) => this.#sets.has(type))
    const results = page.map((object) => ({ ...shown(object, names), ...this.#associated(object, types) }))
    const last = page.at(-1)
    const paging = found.length > limit && { paging: { next: { after: last?.id, link: '' } } }
    return { status: 200, body: { results, ...paging } }
  }

  /** The objects from the same number on, of as many as there are, the highest id first. */
  #linkedIds(id: string, type: string): number[] {
    const count = this.#options.counts?.[type as ObjectType] ?? 0
    const length = Math.min(this.#options.linksOfObject ?? 1, count)
    const linked = Array.from({ length }, (_, index) => 501 + ((Number(id) - 501 + index) % count))
    return linked.toSorted((a, b) => b - a)
  }

  #associated({ id }: StoredObject, types: readonly string[]): object {
    const entries = types.flatMap((type) => {
      const { ids, paging } = linksPage(this.#linkedIds(id, type), undefined)
      const results = ids.map((linked) => ({ id: String(linked), type: `object_to_${type}` }))
      return results.length === 0 ? [] : [[type, { results, ...paging }]]
    })
    return entries.length === 0 ? {} : { associations: Object.fromEntries(entries) }
  }

  #associations(
    from: string,
    rest: string,
    { inputs = [] }: { inputs?: { id: string; after?: string }[] },
  ): Reply {
    const type = /^\/(\w+)\/batch\/read$/.exec(rest)?.[1] ?? ''
    if (inputs.length > 1_000) return failed(400, 'VALIDATION_ERROR')
    const results = inputs.flatMap(({ id, after }) => {
      const { ids, paging } = linksPage(this.#linkedIds(id, type), after)
      const to = ids.map((linked) => ({
        toObjectId: String(linked),
        associationTypes: [
          typeOfLink({ isCompany: from === 'contacts' && type === 'companies', id, linked }),
        ],
      }))
      return to.length === 0 ? [] : [{ from: { id }, to, ...paging }]
    })
    return { status: 200, body: { ...batchTimes(), results } }
  }
}

const linksPageSize = 100

/** More than 100 links of one object come in pages. */
function linksPage(ids: readonly number[], after: string | undefined) {
  const start = Number(after ?? 0)
  const end = start + linksPageSize
  const paging = end < ids.length && { paging: { next: { after: String(end), link: '' } } }
  return { ids: ids.slice(start, end), paging }
}

const batchTimes = () => {
  const now = new Date().toISOString()
  return { status: 'COMPLETE', startedAt: now, completedAt: now }
}

/** A contact's company of the same number is the primary one. */
function typeOfLink({ isCompany, id, linked }: { isCompany: boolean; id: string; linked: number }) {
  const isPrimary = isCompany && String(linked) === id
  return { category: 'HUBSPOT_DEFINED', typeId: isPrimary ? 1 : 279, ...(isPrimary && { label: 'Primary' }) }
}

function shown({ id, properties, createdMs, updatedMs }: StoredObject, names: readonly string[]) {
  const named = names.map((name) => [
    name,
    properties[name] ?? (name.startsWith('custom_') ? `${name} of ${id}` : null),
  ])
  const times = { createdAt: new Date(createdMs).toISOString(), updatedAt: new Date(updatedMs).toISOString() }
  return {
    id,
    properties: Object.fromEntries(named),
    ...times,
    archived: false,
    url: `https://app.hubspot.com/${id}`,
  }
}

function archived(set: ObjectSet, { limit, after }: { limit: number; after: number }): Reply {
  const page = [...set.archived].slice(after, after + limit)
  const results = page.map(([index, ms]) => ({
    id: set.idOf(index),
    properties: {},
    createdAt: new Date(set.at(index).createdMs).toISOString(),
    updatedAt: new Date(ms).toISOString(),
    archived: true,
    archivedAt: new Date(ms).toISOString(),
  }))
  const end = after + limit
  const paging = end < set.archived.size && { paging: { next: { after: String(end), link: '' } } }
  return { status: 200, body: { results, ...paging } }
}

interface Search {
  filterGroups?: { filters: Filter[] }[]
  properties?: string[]
  limit?: number
  after?: string
}

function search(
  set: ObjectSet,
  type: string,
  { filterGroups = [], properties = [], ...page }: Search,
): Reply {
  const { limit = 10, after = '0' } = page
  if (Number(after) + limit > searchMax) return failed(400, 'VALIDATION_ERROR')
  const changed = type === 'contacts' ? 'lastmodifieddate' : 'hs_lastmodifieddate'
  const filters = filterGroups.flatMap((group) => group.filters)
  if (filters.some(({ propertyName }) => ![changed, 'hs_object_id'].includes(propertyName)))
    return failed(400, 'VALIDATION_ERROR')
  const matching: StoredObject[] = []
  let total = 0
  for (const object of set.after(null)) {
    if (!filters.every((filter) => matches(object, filter))) continue
    if (total >= Number(after) && matching.length < limit) matching.push(object)
    total += 1
  }
  const end = Number(after) + matching.length
  const paging = end < total && { paging: { next: { after: String(end), link: '' } } }
  return {
    status: 200,
    body: { total, results: matching.map((object) => shown(object, properties)), ...paging },
  }
}

function matches({ id, updatedMs }: StoredObject, { propertyName, operator, value }: Filter): boolean {
  const own = propertyName === 'hs_object_id' ? Number(id) : updatedMs
  if (operator === 'GTE') return own >= Number(value)
  return operator === 'GT' ? own > Number(value) : own < Number(value)
}

function batch(set: ObjectSet, sent: { inputs?: { id: string }[]; properties?: string[] }): Reply {
  const { inputs = [], properties = [] } = sent
  if (inputs.length > 100) return failed(400, 'VALIDATION_ERROR')
  const found = inputs.flatMap(({ id }) => set.find(id) ?? [])
  const missing = inputs.filter(({ id }) => set.find(id) === undefined).map(({ id }) => id)
  const results = found.map((object) => shown(object, properties))
  if (missing.length === 0) return { status: 200, body: { ...batchTimes(), results } }
  const error = { status: 'error', category: 'OBJECT_NOT_FOUND', message: 'not found' }
  const errors = [{ ...error, context: { ids: missing }, errors: [], links: {} }]
  return { status: 207, body: { ...batchTimes(), results, numErrors: 1, errors } }
}
