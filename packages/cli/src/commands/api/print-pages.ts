import { CliError } from '../../cli-error.ts'
import type { Output } from '../../output/output.ts'
import { printJsonLine } from '../../output/print-json.ts'
import { startProgress } from '../../output/progress.ts'
import type { SendRequest } from './send-request.ts'

/** Follows a list's cursors to its end: each row as it comes, so that no list is too long. */
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
      progress.update(count, page.total)
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

/** The shapes that lists have: rows in `data` with `pagination`, or both inside `data`. */
function pageOf(answer: unknown): AnyPage {
  const { data, pagination } = (answer ?? {}) as { data?: unknown; pagination?: unknown }
  const totals = (pagination ?? data ?? {}) as { total?: unknown; nextCursor?: unknown }
  const rows = Array.isArray(data) ? data : Object.values(data ?? {}).find(Array.isArray)
  if (!rows?.every((row: unknown) => typeof row === 'object' && row !== null)) {
    throw new CliError('The answer is not a list.', {
      code: 'NOT_A_LIST',
      hint: 'Leave --paginate out.',
    })
  }
  return {
    rows,
    total: typeof totals.total === 'number' ? totals.total : undefined,
    nextCursor: typeof totals.nextCursor === 'string' ? totals.nextCursor : undefined,
  }
}
