import { type createCustomers, Failure, updatedCustomer, withLabels, withoutLabels } from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import type { HandlerContext, Outcome } from '../handler.ts'
import { changeCustomer } from './change-customer.ts'

interface TagChange {
  ids: readonly string[]
  addTags: readonly string[]
  removeTags: readonly string[]
}

type TaggedRow = Outcome<typeof createCustomers>['reply']['data'][number]

/** Changes the tags of many customers in one commit. One that fails leaves the others (ADR 0070). */
export async function tagCustomers(
  ctx: HandlerContext,
  { ids, addTags, removeTags }: TagChange,
): Promise<Outcome<typeof createCustomers>> {
  const change: Change = { writes: [], events: [] }
  const data: TaggedRow[] = []
  // One after the other, so that the order of the events is that of the ids.
  for (const [index, _id] of [...new Set(ids)].entries()) {
    const row = { index, _id, customer: null, code: null, problems: [] }
    try {
      const changed = await changeCustomer(ctx, _id, (before) => {
        const kept = withoutLabels({ before: before.tags, labels: removeTags, field: 'tags' })
        const tags = withLabels({ before: kept, labels: addTags, field: 'tags' })
        return updatedCustomer(before, { tags }, ctx.now)
      })
      change.writes.push(...(changed.change?.writes ?? []))
      change.events.push(...(changed.change?.events ?? []))
      data.push({ ...row, result: changed.change ? 'changed' : 'unchanged', customer: changed.reply.data })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      data.push({ ...row, result: 'failed', code: error.code })
    }
  }
  return { ...(change.writes.length > 0 && { change }), reply: { success: true, data } }
}
