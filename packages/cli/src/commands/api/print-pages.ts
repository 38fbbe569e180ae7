import { CliError } from '../../cli-error.ts'
import type { Output } from '../../output/output.ts'
import { printJsonLine } from '../../output/print-json.ts'
import { startProgress } from '../../output/progress.ts'
import type { SendRequest } from './send-request.ts'

/** Follows the cursors of a list to its end and prints each page immediately, so that a long list fits in memory. */
export async function printPages(output: Output, send: SendRequest): Promise<void> {
  const progress = startProgress(output, 'row')
  let count = 0
  let cursor: string | undefined
  try {
    do {
      const { data } = await send(cursor === undefined ? {} : { cursor })
      const page = pageOf(data)
      progress.end()
      for (const row of page.rows) printJsonLine(output, row)
      count += page.rows.length
      progress.update(count, { total: page.total })
      cursor = page.nextCursor
    } while (cursor !== undefined)
  } finally {
    progress.end()
  }
}

interface AnyPage {
  readonly rows: readonly object[]
  readonly total: number | undefined
  readonly nextCursor: string | undefined
}

/** Reads both shapes of a list: rows in `data` with `pagination`, or both inside `data`. */
function pageOf(body: unknown): AnyPage {
  const { data, pagination } = (body ?? {}) as { data?: unknown; pagination?: unknown }
  const totals = (pagination ?? data ?? {}) as { total?: unknown; nextCursor?: unknown }
  const rows = Array.isArray(data) ? data : Object.values(data ?? {}).find(Array.isArray)
  if (!rows?.every((row: unknown) => typeof row === 'object' && row !== null)) {
    throw new CliError('The response is not a list.', {
      code: 'NOT_A_LIST',
      hint: 'Omit --paginate.',
    })
  }
  return {
    rows,
    total: typeof totals.total === 'number' ? totals.total : undefined,
    nextCursor: typeof totals.nextCursor === 'string' ? totals.nextCursor : undefined,
  }
}
