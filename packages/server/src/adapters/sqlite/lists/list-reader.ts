import { exactTotalMax } from '@crmkit/core/vocabulary'
import { StorageUnavailable } from '../../../storage/errors.ts'
import type { SpellingCount } from '../../../storage/label-counts.ts'
import type { DatabaseOptions } from '../connection/database.ts'
import type { Sql } from '../connection/sql.ts'
import type { MatchedRows, MatchRequest } from '../search/match-rows.ts'
import { startThread, type ThreadClient } from '../threads/thread-client.ts'
import type { LifeCalls, ReaderCalls } from '../threads/wire.ts'
import type { QuotaRequest } from '../upkeep/quota-use.ts'
import type { LabelRequest } from './count-labels.ts'
import type { RawRow } from './list-query.ts'
import { type AnyList, isSearch, isShort, type ListRequest, runList } from './list-requests.ts'
import { createReaderThreads, type ReaderName } from './reader-threads.ts'
import { createTotals } from './totals.ts'

export interface CountedPage {
  rows: RawRow[]
  total: number
  totalIsEstimate: boolean
  nextCursor: string | null
}

export type UncountedPage = Pick<CountedPage, 'rows' | 'nextCursor'>

export interface ListReader {
  read(tenantId: string, asked: AnyList): Promise<CountedPage>
  readRows(tenantId: string, asked: AnyList): Promise<UncountedPage>
  findMatches(request: MatchRequest): Promise<MatchedRows>
  countLabels(request: LabelRequest): Promise<SpellingCount[]>
  countQuotaUse(request: QuotaRequest): Promise<number>
  close(): Promise<void>
}

/** A start of the service has other work in its first moments. */
const prepareAfterMs = 500

type Reader = ThreadClient<ReaderCalls & LifeCalls>

/** A thread that is started when it is first needed, and again after it failed to start or died. */
function lazyThread(options: DatabaseOptions) {
  let started: Promise<Reader> | undefined
  let preparation: NodeJS.Timeout | undefined
  let isClosed = false
  async function start(): Promise<Reader> {
    const thread = startThread<ReaderCalls>('reader-thread')
    try {
      await thread.call('open', options)
      return thread
    } catch (error) {
      await thread.close()
      throw error
    }
  }
  async function running(): Promise<Reader> {
    if (isClosed) throw new StorageUnavailable('the storage is closed')
    started ??= start()
    const mine = started
    const thread = await mine.catch(() => undefined)
    if (thread?.isAlive()) return thread
    if (started === mine) started = undefined
    return thread ? running() : mine
  }
  return {
    /** Starts the thread in a moment: the first read does not wait until it has loaded its modules. */
    prepareSoon(): void {
      if (started || isClosed) return
      preparation ??= setTimeout(() => void running().catch(() => undefined), prepareAfterMs).unref()
    },
    run: async (request: ListRequest) => (await running()).call('list', request),
    findMatches: async (request: MatchRequest) => (await running()).call('matches', request),
    countLabels: async (request: LabelRequest): Promise<SpellingCount[]> =>
      (await running()).call('labels', request),
    countQuotaUse: async (request: QuotaRequest): Promise<number> =>
      (await running()).call('quotaUse', request),
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(preparation)
      await (await started?.catch(() => undefined))?.close()
    },
  }
}

function totalKey(tenantId: string, { list, filter }: AnyList): string {
  return JSON.stringify([tenantId, list, { ...filter, page: 0, limit: 0, cursor: null, sort: null }])
}

/**
 * Reads lists: short ones in this thread, the others in a second one; counts and the reads of tenants that were slow
 * lately in a third.
 */
export function createListReader(sql: Sql, options: DatabaseOptions): ListReader {
  const pages = lazyThread(options)
  const slow = lazyThread(options)
  const threads = createReaderThreads()
  const totals = createTotals(sql)

  /** The first response has the lower bound as its total; later ones have the full count. */
  function countAll(key: string, request: ListRequest): void {
    totals.share(key, exactTotalMax + 1)
    if (isSearch(request.asked)) return
    threads
      .count(request.tenantId, () => slow.run({ ...request, want: 'total' }))
      .then(
        ({ total }) => totals.share(key, Math.max(total ?? 0, exactTotalMax + 1)),
        () => totals.unshare(key),
      )
  }

  async function readAside(request: ListRequest) {
    // A tenant whose read is slow reads on the other thread next.
    slow.prepareSoon()
    return threads.readPage(request.tenantId, (name) => (name === 'slow' ? slow : pages).run(request))
  }

  async function findMatches(request: MatchRequest): Promise<MatchedRows> {
    slow.prepareSoon()
    const read = (name: ReaderName) => (name === 'slow' ? slow : pages).findMatches(request)
    return threads.readPage(request.tenantId, read)
  }

  const readPage = async (request: ListRequest) =>
    isShort(request.asked) ? runList(sql, request) : readAside(request)

  /** Reads the rows of a list whose total is `cached`, or is found with them. */
  async function readCounted(key: string, cached: number | undefined, asking: Omit<ListRequest, 'want'>) {
    const version = totals.version()
    const request: ListRequest = { ...asking, want: cached === undefined ? 'page' : 'pageWithoutTotal' }
    const { rows, total, nextCursor } = await readPage(request)
    const known = cached ?? total ?? 0
    if (known <= exactTotalMax) {
      if (cached === undefined) totals.keepExact(key, known, version)
      return { rows, total: known, totalIsEstimate: false, nextCursor }
    }
    if (cached === undefined) countAll(key, request)
    const estimate = Number.isFinite(known) ? known : exactTotalMax + 1
    return { rows, total: estimate, totalIsEstimate: true, nextCursor }
  }

  async function read(tenantId: string, asked: AnyList): Promise<CountedPage> {
    // A caller that reads a list mostly searches or filters next.
    pages.prepareSoon()
    const key = totalKey(tenantId, asked)
    const cached = totals.find(key)
    // A cursor is read with the rows, so that a wrong one is refused.
    const isEmpty = cached === 0 && asked.filter.cursor === undefined
    if (isEmpty) return { rows: [], total: 0, totalIsEstimate: false, nextCursor: null }
    return readCounted(key, cached, { tenantId, asked })
  }

  return {
    read,
    readRows: (tenantId, asked) => readPage({ tenantId, asked, want: 'pageWithoutTotal' }),
    findMatches,
    countLabels: (request) => threads.count(request.tenantId, () => slow.countLabels(request)),
    countQuotaUse: (request) => threads.count(request.tenantId, () => slow.countQuotaUse(request)),
    close: async () => {
      await Promise.all([pages.close(), slow.close()])
    },
  }
}
