import { exactTotalMax } from '@crmkit/core/vocabulary'
import { StorageUnavailable } from '../../ports/storage.ts'
import type { DatabaseOptions } from './database.ts'
import type { RawPage, RawRow } from './list-query.ts'
import { type AnyList, isSearch, isShort, type ListRequest, runList } from './list-requests.ts'
import type { Sql } from './sql.ts'
import { startThread, type ThreadClient } from './thread-client.ts'
import type { LifeCalls, ReaderCalls } from './wire.ts'

export interface CountedPage {
  rows: RawRow[]
  total: number
  totalIsEstimate: boolean
  nextCursor: string | null
}

export interface ListReader {
  read(tenantId: string, asked: AnyList): Promise<CountedPage>
  close(): Promise<void>
}

interface SharedTotal {
  total: number
  endsAt: number
}

const sharedForMs = 10_000
const totalsMax = 1_000

type Reader = ThreadClient<ReaderCalls & LifeCalls>

function lazyThread(options: DatabaseOptions) {
  let started: Promise<Reader> | undefined
  let isClosed = false
  async function start(): Promise<Reader> {
    const thread = startThread<ReaderCalls>('reader-thread')
    await thread.call('open', options)
    return thread
  }
  return {
    async run(request: ListRequest): Promise<RawPage> {
      if (isClosed) throw new StorageUnavailable('the storage is closed')
      started ??= start()
      return (await started).call('list', request)
    },
    async close(): Promise<void> {
      isClosed = true
      await (await started)?.close()
    },
  }
}

function totalKey(tenantId: string, { list, filter }: AnyList): string {
  return JSON.stringify([tenantId, list, { ...filter, page: 0, limit: 0, cursor: null, sort: null }])
}

/** Totals that may be told again: estimates for a while, exact ones as long as nothing was written. */
function createTotals(sql: Sql) {
  const shared = new Map<string, SharedTotal>()
  const exact = new Map<string, number>()
  let version: number | undefined

  function forgetOutdated(): void {
    const current = sql.across.get<{ data_version: number }>('PRAGMA data_version')?.data_version
    if (current !== version) exact.clear()
    version = current
  }

  return {
    find(key: string): number | undefined {
      forgetOutdated()
      const estimate = shared.get(key)
      if (estimate && estimate.endsAt > Date.now()) return estimate.total
      shared.delete(key)
      return exact.get(key)
    },
    keepExact(key: string, total: number): void {
      if (exact.size >= totalsMax) exact.clear()
      exact.set(key, total)
    },
    share(key: string, total: number): void {
      if (shared.size >= totalsMax) shared.clear()
      shared.set(key, { total, endsAt: Date.now() + sharedForMs })
    },
    unshare: (key: string) => void shared.delete(key),
  }
}

/** Reads lists: short ones here and now, the others in a thread, and counts that may be long in a second one. */
export function createListReader(sql: Sql, options: DatabaseOptions): ListReader {
  const pages = lazyThread(options)
  const counts = lazyThread(options)
  const totals = createTotals(sql)

  /** The first answer is the lower bound; the full count replaces it for whoever asks next. */
  function countAll(key: string, request: ListRequest): void {
    totals.share(key, exactTotalMax + 1)
    if (isSearch(request.asked)) return
    counts.run({ ...request, want: 'total' }).then(
      ({ total }) => totals.share(key, Math.max(total ?? 0, exactTotalMax + 1)),
      () => totals.unshare(key),
    )
  }

  async function read(tenantId: string, asked: AnyList): Promise<CountedPage> {
    const key = totalKey(tenantId, asked)
    const told = totals.find(key)
    const request: ListRequest = { tenantId, asked, want: told === undefined ? 'page' : 'pageWithoutTotal' }
    const { rows, total, nextCursor } = isShort(asked) ? runList(sql, request) : await pages.run(request)
    const known = told ?? total ?? 0
    if (known <= exactTotalMax) {
      if (told === undefined) totals.keepExact(key, known)
      return { rows, total: known, totalIsEstimate: false, nextCursor }
    }
    if (told === undefined) countAll(key, request)
    const estimate = Number.isFinite(known) ? known : exactTotalMax + 1
    return { rows, total: estimate, totalIsEstimate: true, nextCursor }
  }

  return {
    read,
    close: async () => {
      await Promise.all([pages.close(), counts.close()])
    },
  }
}
