import type { IncomingHttpHeaders } from 'node:http'
import { Dataset, type Row } from './dataset.ts'
import { type LimitOptions, Limits } from './limits.ts'
import { failed, fetchFullData, listDeleted, listRecords, type Reply } from './records.ts'
import { rowMakers } from './rows.ts'
import { describeFields } from './settings.ts'

export const modules = [
  'Accounts',
  'Contacts',
  'Leads',
  'Deals',
  'Cases',
  'Notes',
  'Calls',
  'Events',
  'Tasks',
] as const
export type Module = (typeof modules)[number]

export interface ApiOptions extends LimitOptions {
  /** Records by module; default: none. */
  counts?: Partial<Record<Module, number>>
  /** Records that changed in the same second. */
  perSecond?: number
  /** Fields `Custom_1` … of every contact. */
  customFields?: number
  /** Characters of `Rich_Text`, a field of every contact; default: there is none. */
  richTextLength?: number
  /** Whether the user may list all notes. */
  isAdmin?: boolean
  /** Id of the organisation. */
  zgid?: string
}

export interface ApiRequest {
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  isSignedIn: boolean
}

const organisation = {
  id: '1',
  company_name: 'Zylker',
  primary_email: 'admin@zylker.example',
  time_zone: 'Europe/Berlin',
  country_code: 'DE',
}
const all = { sortBy: 'id', isAscending: true, sinceMs: Number.NEGATIVE_INFINITY, skip: 0 } as const

/** The API of one organisation. */
export class Api {
  readonly #options: ApiOptions
  readonly #datasets: ReadonlyMap<string, Dataset>
  readonly #refused = new Set<Module>()
  readonly limits: Limits

  constructor(options: ApiOptions) {
    this.#options = options
    this.limits = new Limits(options)
    this.#datasets = makeDatasets(options)
  }

  dataset(module: Module): Dataset {
    return this.#datasets.get(module) as Dataset
  }

  /** Refuses a module as one that the user may not read. */
  refuse(module: Module): void {
    this.#refused.add(module)
  }

  respond(request: ApiRequest): Reply {
    if (!request.isSignedIn) return failed(401, 'INVALID_TOKEN')
    const { zgid = '10020301' } = this.#options
    if (request.path === '/crm/v8/org') return { status: 200, body: { org: [{ ...organisation, zgid }] } }
    if (request.path === '/crm/v8/settings/fields') return this.#fields(request.query.get('module') ?? '')
    if (request.path === '/crm/v8/settings/modules') {
      const list = modules.map((api_name) => ({
        api_name,
        api_supported: true,
        viewable: !this.#refused.has(api_name),
      }))
      return { status: 200, body: { modules: list } }
    }
    return this.#records(request)
  }

  #fields(module: string): Reply {
    const dataset = this.#datasets.get(module)
    if (dataset === undefined) return failed(400, 'INVALID_MODULE')
    const [row] = dataset.page({ ...all, limit: 1 }).rows
    return { status: 200, body: { fields: describeFields(row ?? {}, module === 'Accounts') } }
  }

  #records({ path, query, headers }: ApiRequest): Reply {
    const [, name = '', second, third] = /^\/crm\/v8\/(\w+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? []
    const dataset = this.#datasets.get(name)
    if (dataset === undefined) return failed(404, 'INVALID_URL_PATTERN')
    if (this.#refused.has(name as Module)) return failed(403, 'NO_PERMISSION')
    const modifiedSince = headers['if-modified-since']
    if (second === undefined) return this.#list(dataset, { module: name, query, modifiedSince })
    if (second === 'deleted') return listDeleted(dataset, query, modifiedSince)
    if (third === 'fetch_full_data') return fetchFullData(dataset, query)
    if (third === 'count') return { status: 200, body: { count: dataset.size } }
    return this.#notesOf(second, query)
  }

  #list(dataset: Dataset, request: Parameters<typeof listRecords>[1]): Reply {
    if (request.module === 'Notes' && this.#options.isAdmin === false) {
      return failed(403, 'NOT_SUPPORTED', {}, 'supported only for admin users')
    }
    return listRecords(dataset, request)
  }

  #notesOf(id: string, query: URLSearchParams): Reply {
    const notes = this.dataset('Notes')
    const { rows } = notes.page({ ...all, limit: notes.size })
    const own = rows.filter((row) => (row['Parent_Id'] as Row | null)?.['id'] === id)
    const page = Number(query.get('page') ?? 1)
    const data = own.slice((page - 1) * 200, page * 200)
    if (data.length === 0) return { status: 204 }
    return { status: 200, body: { data, info: { page, more_records: page * 200 < own.length } } }
  }
}

function makeDatasets({
  counts = {},
  perSecond = 3,
  customFields = 0,
  richTextLength,
}: ApiOptions): Map<Module, Dataset> {
  const idOf = (module: string, index: number) => String(firstIdOf(module as Module) + BigInt(index))
  const makers = rowMakers({ idOf, countOf: (module) => counts[module as Module] ?? 0 })
  const rich = (index: number) =>
    richTextLength === undefined ? {} : { Rich_Text: `${index} `.padEnd(richTextLength, 'x') }
  const custom = (index: number) => ({
    ...Object.fromEntries(
      Array.from({ length: customFields }, (_, n) => [`Custom_${n + 1}`, `value ${n + 1} of ${index}`]),
    ),
    ...rich(index),
  })
  return new Map(
    modules.map((module) => {
      const make = makers[module] as (index: number) => Row
      const dataset = new Dataset({
        firstId: firstIdOf(module),
        count: counts[module] ?? 0,
        makeRow: module === 'Contacts' ? (index) => ({ ...make(index), ...custom(index) }) : make,
        firstModifiedMs: Date.parse('2026-01-01T00:00:00Z'),
        perSecond,
      })
      return [module, dataset]
    }),
  )
}

/** 19 digits: more than a number of JavaScript holds. */
function firstIdOf(module: Module): bigint {
  return 7_328_395_000_000_000_000n + BigInt(modules.indexOf(module) + 1) * 1_000_000_000n
}
