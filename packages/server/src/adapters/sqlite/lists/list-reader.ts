import { exactTotalMax } from '@crmkit/core/vocabulary'
import { StorageUnavailable } from '../../../storage/errors.ts'
import type { DatabaseOptions } from '../connection/database.ts'
import type { Sql } from '../connection/sql.ts'
import { startThread, type ThreadClient } from '../threads/thread-client.ts'
import type { LifeCalls, ReaderCalls } from '../threads/wire.ts'
import type { RawPage, RawRow } from './list-query.ts'
import { type AnyList, isSearch, isShort, type ListRequest, runList } from './list-requests.ts'
import { createTotals } from './totals.ts'

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

type Reader = ThreadClient<ReaderCalls & LifeCalls>

/** A thread that is started when it is needed, and anew when it could not start or has died. */
function lazyThread(options: DatabaseOptions) {
  let started: Promise<Reader> | undefined
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
    run: async (request: ListRequest): Promise<RawPage> => (await running()).call('list', request),
    async close(): Promise<void> {
      isClosed = true
      await (await started?.catch(() => undefined))?.close()
    },
  }
}

function totalKey(tenantId: string, { list, filter }: AnyList): string {
  return JSON.stringify([tenantId, list, { ...filter, page: 0, limit: 0, cursor: null, sort: null }])
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
    const version = totals.version()
    const request: ListRequest = { tenantId, asked, want: told === undefined ? 'page' : 'pageWithoutTotal' }
    const { rows, total, nextCursor } = isShort(asked) ? runList(sql, request) : await pages.run(request)
    const known = told ?? total ?? 0
    if (known <= exactTotalMax) {
      if (told === undefined) totals.keepExact(key, known, version)
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
