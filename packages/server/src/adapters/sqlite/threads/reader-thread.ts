import { type MessagePort, parentPort } from 'node:worker_threads'
import { type DatabaseHandle, type DatabaseOptions, openReaderDatabase } from '../connection/database.ts'
import { createSql, type Sql } from '../connection/sql.ts'
import { toErrorData } from '../connection/sqlite-errors.ts'
import { countLabels, type LabelRequest } from '../lists/count-labels.ts'
import { type ListRequest, runList } from '../lists/list-requests.ts'
import { createMatcher, type Matcher, type MatchRequest } from '../search/match-rows.ts'
import { createSearcher, type Searcher } from '../search/searcher.ts'
import { countQuotaUse, type QuotaRequest } from '../upkeep/quota-use.ts'
import type { WireReply, WireRequest } from './wire.ts'

if (!parentPort) throw new Error('this file runs as a worker thread')
const port: MessagePort = parentPort
let db: DatabaseHandle | undefined
let sql: Sql | undefined
let search: Searcher | undefined
let match: Matcher | undefined

function open(options: DatabaseOptions): null {
  db = openReaderDatabase(options)
  sql = createSql(db, 'reader')
  search = createSearcher(sql)
  match = createMatcher(sql)
  return null
}

function run({ call, request }: WireRequest): unknown {
  if (call === 'open') return open(request as DatabaseOptions)
  if (call === 'close') return db?.close() && null
  if (!sql || !match) throw new Error('the reader is not open')
  if (call === 'labels') return countLabels(sql, request as LabelRequest)
  if (call === 'quotaUse') return countQuotaUse(sql, request as QuotaRequest)
  const startedAt = performance.now()
  const page =
    call === 'matches' ? match(request as MatchRequest) : runList(sql, request as ListRequest, search)
  return { ...page, tookMs: performance.now() - startedAt }
}

function replyTo(request: WireRequest): WireReply {
  try {
    return { id: request.id, reply: run(request) }
  } catch (error) {
    return { id: request.id, error: toErrorData(error) }
  }
}

port.on('message', (requests: WireRequest[]) => {
  port.postMessage(requests.map(replyTo))
  if (requests.some(({ call }) => call === 'close')) port.close()
})
