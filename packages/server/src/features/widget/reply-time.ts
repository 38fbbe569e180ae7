import type { ReplyTime } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const spanMs = 7 * dayMs
const repliesMin = 20
const repliesMax = 500
/** Pages of an inbox with so many conversations that no reply has come to. */
const pagesMax = 20

interface Found {
  replyTime: ReplyTime | null
  /** In milliseconds since 1970. */
  until: number
}

/** The findings of each service, by inbox. A restarted one finds it again. */
const found = new WeakMap<object, Map<string, Promise<Found>>>()
const inboxesMax = 10_000

interface Question {
  store: TenantReads
  inboxId: string
  nowMs: number
}

/** Returns how soon the inbox replies, which is found once a day; where nothing is known yet, once an hour. */
export async function replyTimeOf(service: object, question: Question): Promise<ReplyTime | null> {
  const known = found.get(service) ?? new Map<string, Promise<Found>>()
  found.set(service, known)
  const { inboxId, nowMs } = question
  const present = await known.get(inboxId)
  if (present !== undefined && present.until > nowMs) return present.replyTime
  if (known.size >= inboxesMax) known.clear()
  const finding = find(question)
  known.set(inboxId, finding)
  finding.catch(() => known.delete(inboxId))
  return (await finding).replyTime
}

async function find(question: Question): Promise<Found> {
  const replyTime = classOf(await readTimes(question))
  return { replyTime, until: question.nowMs + (replyTime === null ? hourMs : dayMs) }
}

/** Returns the times of the first replies, in milliseconds: of the newest conversations, where there are many. */
async function readTimes({ store, inboxId, nowMs }: Question): Promise<number[]> {
  const createdSince = new Date(nowMs - spanMs).toISOString()
  const times: number[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < pagesMax && times.length < repliesMax; pages++) {
    const filter = { inboxId, createdSince, sort: '-createdAt', page: 1, limit: 100, cursor } as const
    const { rows, nextCursor } = await store.conversations.listRows(filter)
    for (const { createdAt, firstResponseAt } of rows)
      if (firstResponseAt !== null) times.push(Date.parse(firstResponseAt) - Date.parse(createdAt))
    if (nextCursor === null) break
    cursor = nextCursor
  }
  return times
}

function classOf(times: readonly number[]): ReplyTime | null {
  if (times.length < repliesMin) return null
  const median = times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 2)] ?? 0
  if (median <= hourMs) return 'minutes'
  if (median <= 12 * hourMs) return 'hours'
  return median <= dayMs ? 'day' : null
}
