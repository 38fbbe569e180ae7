import { setTimeout as delay } from 'node:timers/promises'
import type { DeliveryLog, WebhooksLogsQuery } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { printStreamed } from '../../output/print-streamed.ts'
import { type Client, openClient } from '../../profile/open-client.ts'
import { logColumns } from './log-columns.ts'

const pollMs = 1_000
const pageSize = 100

interface FollowRequest {
  readonly id: string
  readonly filter: WebhooksLogsQuery
  /** The number of earlier attempts to print first. */
  readonly limit: number
}

/** Prints each attempt once for each status, until the process ends. */
export async function followLogs(context: Context, { id, filter, limit }: FollowRequest): Promise<never> {
  const client = await openClient(context)
  const seen = new Map<string, string>()
  const print = (rows: readonly DeliveryLog[]) => {
    for (const log of rows.toReversed()) {
      seen.set(log._id, log.status)
      printStreamed(context.output, { row: log, columns: logColumns, quiet: log._id })
    }
  }
  const first = await client.call((crm) => crm.webhooks.logs(id, { ...filter, limit: pageSize }))
  for (const log of first.data) seen.set(log._id, log.status)
  print(first.data.slice(0, limit))
  context.output.say('Following the attempts; Ctrl-C stops the command.')
  for (;;) {
    await delay(pollMs)
    print(await changedLogs(client, { id, filter, seen }))
  }
}

interface Known extends Omit<FollowRequest, 'limit'> {
  readonly seen: ReadonlyMap<string, string>
}

/** Reads new and changed attempts, newest first, up to the first page without one. */
async function changedLogs(client: Client, { id, filter, seen }: Known): Promise<DeliveryLog[]> {
  const changed: DeliveryLog[] = []
  let cursor: string | undefined
  for (;;) {
    const paging = { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }
    const page = await client.call((crm) => crm.webhooks.logs(id, { ...filter, ...paging }))
    const fresh = page.data.filter((log) => seen.get(log._id) !== log.status)
    changed.push(...fresh)
    if (fresh.length === 0 || page.nextCursor === null) return changed
    cursor = page.nextCursor
  }
}
