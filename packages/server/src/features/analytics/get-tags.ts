import { foldLabel, type getTags, type InputOf, type Problem, validationFailure } from '@crmkit/core'
import type { LabelRange } from '../../storage/label-counts.ts'
import type { Handler } from '../handler.ts'
import { userIdOf } from '../signed-in-user.ts'
import { percentOf } from './percent.ts'

type Query = InputOf<typeof getTags>['query']

const rangeDefaultMs = 30 * 86_400_000

function refusal(field: string, message: string): Error {
  const problem: Problem = { field, message, rule: 'range', in: 'query' }
  return validationFailure([problem])
}

/** Throws for a range that ends before it starts. */
function rangeOf({ startDate, endDate }: Query, now: string): LabelRange {
  const to = endDate ?? now
  const from = startDate ?? new Date(Date.parse(to) - rangeDefaultMs).toISOString()
  if (from <= to) return { from, to }
  throw endDate === undefined
    ? refusal('startDate', 'must not be in the future')
    : refusal('endDate', 'must not be before startDate')
}

export const handleGetTags: Handler<typeof getTags> = async (ctx, { query }) => {
  const range = rangeOf(query, ctx.now)
  const usedBy = userIdOf(ctx, { field: 'agentId', value: query.agentId })
  const agent = usedBy === undefined ? undefined : await ctx.store.users.find(usedBy)
  // The processing of their data is restricted: no figures about them.
  if (agent?.processingRestricted) return { reply: { success: true, data: [] } }
  const { labelled, labels } = await ctx.store.conversations.countLabels({ ...range, usedBy })
  const tag = query.tag === undefined ? undefined : foldLabel(query.tag.trim())
  const data = labels
    .filter(({ label }) => tag === undefined || foldLabel(label) === tag)
    .map(({ label, count }) => ({ tag: label, count, percentage: percentOf(count, labelled) }))
  return { reply: { success: true, data } }
}
