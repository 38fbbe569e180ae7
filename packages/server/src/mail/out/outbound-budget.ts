import { Failure, type InboxEmail } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import {
  limitOf,
  relayRecipientsPerDay,
  smtpRecipientsPerMinute,
  unlimited,
} from '../../storage/kinds/quotas.ts'
import type { TenantLimits } from '../../storage/kinds/tenants.ts'

/** Recipients of the relay of the installation a tenant and day, as long as no inbox has proven its domain. */
const unprovenPerDay = 200
/** Passwords are set anew also when the budget of a day is spent, and by a flood of requests the relay sends no more than this. */
const passwordMailsPerDay = 100
const inboxesMax = 100
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

interface BudgetContext {
  store: Pick<TenantReads, 'tenantId' | 'outboundCounts' | 'inboxes'>
  now: string
  /** Limits that the operator has set for the tenant. */
  tenantLimits: TenantLimits | undefined
}

type MailTransport = Exclude<InboxEmail['transport'], 'none'>

/**
 * Returns the writes that count the recipients of a mail, in the commit that queues it. Throws RATE_LIMIT_EXCEEDED for a mail that does
 * not fit as a whole. No stranger counts here, so the budget also holds where the limits of requests are off.
 */
export function recipientWrites(
  ctx: BudgetContext,
  { transport, inboxId, count }: { transport: MailTransport; inboxId: string; count: number },
): Promise<Write[]> {
  return transport === 'relay' ? relayWrites(ctx, count) : serverWrites(ctx, inboxId, count)
}

/** Returns the writes that count recipients of the relay. Throws RATE_LIMIT_EXCEEDED beyond the budget of the day. */
export async function relayWrites(ctx: BudgetContext, count: number): Promise<Write[]> {
  const set = ctx.tenantLimits?.[relayRecipientsPerDay]
  if (set === unlimited) return []
  const limit =
    set ?? ((await hasProvenInbox(ctx)) ? limitOf(relayRecipientsPerDay, undefined) : unprovenPerDay)
  return countWrites(ctx, { ...dayOf('relay', ctx.now), count, limit })
}

/** Returns the writes that count a mail about a password; undefined beyond the budget of the day. */
export async function passwordMailWrites(
  ctx: Omit<BudgetContext, 'tenantLimits'>,
): Promise<Write[] | undefined> {
  const use = { ...dayOf('passwords', ctx.now), count: 1, limit: passwordMailsPerDay }
  return ifWithinBudget(countWrites(ctx, use))
}

/** Returns what is within the budget; undefined for what is beyond it. */
export async function ifWithinBudget<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isOutboundLimit(error)) return undefined
    throw error
  }
}

export function isOutboundLimit(error: unknown): error is Failure {
  if (!(error instanceof Failure)) return false
  const { details } = error as { details?: { scope?: unknown } | null }
  return details?.scope === scope
}

const scope = 'outboundMail'

/** A server of the team has rules of its own: this only keeps a mistake of a program small. */
async function serverWrites(ctx: BudgetContext, inboxId: string, count: number): Promise<Write[]> {
  const limit = limitOf(smtpRecipientsPerMinute, ctx.tenantLimits)
  if (limit === unlimited) return []
  const minute = ctx.now.slice(0, 'YYYY-MM-DDTHH:MM'.length)
  const endMs = Date.parse(`${minute}:00.000Z`) + minuteMs
  return countWrites(ctx, { id: `${inboxId} ${minute}`, endMs, count, limit })
}

function dayOf(name: string, now: string): { id: string; endMs: number } {
  const day = now.slice(0, 'YYYY-MM-DD'.length)
  return { id: `${name} ${day}`, endMs: Date.parse(`${day}T00:00:00.000Z`) + dayMs }
}

async function hasProvenInbox({ store }: BudgetContext): Promise<boolean> {
  const { rows } = await store.inboxes.listRows({ page: 1, limit: inboxesMax })
  return rows.some(({ email }) => (email?.domainProvenAt ?? null) !== null)
}

interface Use {
  id: string
  endMs: number
  count: number
  limit: number
}

async function countWrites(
  { store: { tenantId, outboundCounts }, now }: Omit<BudgetContext, 'tenantLimits'>,
  { id, endMs, count, limit }: Use,
): Promise<Write[]> {
  if (count === 0) return []
  const used = (await outboundCounts.find(id))?.recipients ?? 0
  if (used + count > limit) throw spent({ limit, used, endMs, nowMs: Date.parse(now) })
  const endsAt = isoTime(endMs + dayMs)
  const row = { _id: id, tenantId, recipients: 0, endsAt, createdAt: now, updatedAt: now }
  // Of requests at the same moment each sees the others near the limit; far below it they need not wait for each other.
  const isNear = limit <= unprovenPerDay || (used + count) * 5 > limit * 4
  return [
    { op: 'ensure', kind: 'outboundCounts', row },
    {
      op: 'patch',
      kind: 'outboundCounts',
      id,
      increment: { recipients: count },
      ...(isNear && { when: { recipients: used } }),
    },
  ]
}

function spent({
  limit,
  used,
  endMs,
  nowMs,
}: {
  limit: number
  used: number
  endMs: number
  nowMs: number
}): Failure {
  const seconds = Math.max(1, Math.ceil((endMs - nowMs) / 1000))
  const left = Math.max(0, limit - used)
  return new Failure(
    'RATE_LIMIT_EXCEEDED',
    `The tenant may send to ${left} more recipients now; try again in ${seconds} s`,
    {
      details: { scope, limit, used },
      extra: { limit, resetAt: isoTime(endMs) },
      headers: { 'Retry-After': `${seconds}`, RateLimit: `"${scope}";r=${left};t=${seconds}` },
    },
  )
}
