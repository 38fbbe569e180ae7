import { randomUUID } from 'node:crypto'
import {
  type BackgroundJob,
  type JobDeclaration,
  type JobParts,
  pollEveryMs,
} from '../../../jobs/background-job.ts'
import type { Write } from '../../../ports/change.ts'
import type { TenantStore } from '../../../ports/storage.ts'
import type { SystemStore } from '../../../ports/system-store.ts'
import { isoTime } from '../../../shared/clock.ts'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import { removalOf } from '../../../shared/removal-of.ts'
import { UniqueConflict, VersionConflict } from '../../../storage/errors.ts'
import type { ConversationRecord } from '../../../storage/kinds/conversations.ts'
import type { FigureDay } from '../../../storage/kinds/figure-days.ts'
import type { FigureMark } from '../../../storage/kinds/figure-marks.ts'
import type { FigureShare, ShareOfFigures } from '../../../storage/kinds/figure-shares.ts'
import type { Stored, TenantId } from '../../../storage/records.ts'
import { addCells, changesBetween, type DayChange, endOfDay, endOfShare, figureDayId } from './add-shares.ts'
import { shareOf } from './share.ts'

/** One of many processes counts; when it dies, another one takes over after this time. */
const leaseName = 'figures'
const leaseMs = 10_000
/** Marks that one commit counts. */
const marksMax = 200
/** Reads of first messages that run at once. */
const readsMax = 20
/** A conversation that begins with more messages of the team than this counts from its start. */
const firstMessagesMax = 10

type CountParts = Pick<JobParts, 'storage' | 'clock'>

/**
 * Brings the figures up to the conversations as they are now. Each commit that changes a conversation leaves a mark; a page of marks
 * is read first, then the conversations, and one commit replaces their shares and removes the marks. So a killed process has counted
 * a page or nothing of it, of two processes at one page one does nothing, and a later change has a mark of its own.
 */
function createCountConversations({ storage, clock }: CountParts): BackgroundJob {
  const { system } = storage
  const holder = randomUUID()
  let isHolder = false
  let isStopped = false

  async function takeLease(): Promise<boolean> {
    const now = isoTime(clock.nowMs())
    isHolder = !isStopped && (await system.takeLease({ name: leaseName, holder, now, leaseMs }))
    return isHolder
  }

  /** Counts one page of each tenant that has marks; returns whether there was more than a page. */
  async function countRound(): Promise<boolean> {
    let [behind, hasMore] = ['', false]
    for (;;) {
      const found = await system.across.dueFigures.first(behind)
      if (found === undefined) return hasMore
      if (!(await takeLease())) return false
      // The few marks that were made meanwhile wait for the next poll: a page has a price of its own.
      if (await countPage({ storage, now: isoTime(clock.nowMs()) }, found.tenantId)) hasMore = true
      behind = found.columns.markedTenant
    }
  }

  return {
    runDue: async () => {
      while (!isStopped && (await countRound())) {}
      return null
    },
    stop: async () => {
      isStopped = true
      // A lease that cannot be released expires by itself.
      if (isHolder) await system.releaseLease({ name: leaseName, holder }).catch(() => {})
    },
  }
}

export const countConversations: JobDeclaration = {
  pollEveryMs,
  backlog: {
    waits: 'changes of conversations that the figures do not hold yet',
    lateAfterMinutes: 10,
    oldestDue: oldestMark,
  },
  make: createCountConversations,
}

const tenantsMax = 100

/** So many tenants are looked at: more would make a scrape of the metrics slow. */
async function oldestMark({ across }: Pick<SystemStore, 'across'>): Promise<string | null> {
  let oldest: string | null = null
  let behind = ''
  for (let read = 0; read < tenantsMax; read++) {
    const found = await across.dueFigures.first(behind)
    if (found === undefined) break
    const { markedAt, markedTenant } = found.columns
    if (oldest === null || markedAt < oldest) oldest = markedAt
    behind = markedTenant
  }
  return oldest
}

interface PageParts {
  storage: CountParts['storage']
  now: string
}

/** Counts one page of a tenant's marks; returns whether others wait. Another process may have been faster. */
export async function countPage({ storage, now }: PageParts, tenantId: TenantId): Promise<boolean> {
  const { system } = storage
  const found = await system.across.dueFigures.of(tenantId, marksMax)
  const marks = found.map(({ row }) => row)
  if (marks.length === 0) return false
  const page = await readPage(storage.forTenant(tenantId), marks)
  const writes = [
    ...page.shares.flatMap((one) => shareWrites(one, tenantId)),
    ...(await dayWrites(storage.forTenant(tenantId), {
      changes: changesBetween(page.shares.map(stateOf)),
      now,
    })),
    ...page.done.map((mark) => removalOf('figureMarks', mark)),
  ]
  try {
    passFaultPoint('before-figures')
    await system.commit(tenantId, { writes, events: [] })
  } catch (error) {
    if (!(error instanceof VersionConflict || error instanceof UniqueConflict)) throw error
    return true
  }
  return marks.length === marksMax || page.done.length < marks.length
}

/** A conversation with the share that the figures hold, and the one that they should hold. */
interface Counted {
  id: string
  stored: Stored<FigureShare> | undefined
  customerId: string | null
  after: ShareOfFigures | undefined
}

const stateOf = ({ stored, after }: Counted) => ({ before: stored?.share, after })

interface Page {
  shares: Counted[]
  done: Stored<FigureMark>[]
}

async function readPage(store: TenantStore, marks: readonly Stored<FigureMark>[]): Promise<Page> {
  const ids = new Set<string>()
  const done: Stored<FigureMark>[] = []
  for (const mark of marks) {
    if (mark.about === 'conversation') ids.add(mark.subjectId)
    const left = mark.about === 'customer' ? await sharesOfCustomer(store, mark.subjectId) : []
    for (const { _id } of left) ids.add(_id)
    // The commit removes the shares that it has read, so the mark comes back for the others.
    if (left.length < marksMax) done.push(mark)
    if (ids.size > 2 * marksMax) break
  }
  return { shares: await readShares(store, [...ids]), done }
}

/** All conversations at once, and all shares: on MongoDB each read is a round trip. */
async function readShares(store: TenantStore, ids: readonly string[]): Promise<Counted[]> {
  const [conversations, stored] = await Promise.all([
    store.conversations.findAll(ids),
    store.figureShares.findAll(ids),
  ])
  const found: Found = { conversations: byId(conversations), stored: byId(stored) }
  const shares: Counted[] = []
  for (let start = 0; start < ids.length; start += readsMax)
    shares.push(
      ...(await Promise.all(ids.slice(start, start + readsMax).map((id) => readCounted(store, id, found)))),
    )
  return shares
}

function byId<T extends { _id: string }>(rows: readonly T[]): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [row._id, row]))
}

/** Rows by the id of their conversation. */
interface Found {
  conversations: ReadonlyMap<string, Stored<ConversationRecord>>
  stored: ReadonlyMap<string, Stored<FigureShare>>
}

async function sharesOfCustomer(store: TenantStore, customerId: string): Promise<Stored<FigureShare>[]> {
  const { rows } = await store.figureShares.listRows({ customerId, page: 1, limit: marksMax })
  return rows
}

async function readCounted(store: TenantStore, id: string, found: Found): Promise<Counted> {
  const conversation = found.conversations.get(id)
  const hasResponse = typeof conversation?.firstResponseAt === 'string'
  const firstInboundAt = hasResponse ? await findFirstInbound(store, id) : undefined
  const after = conversation && shareOf(conversation, firstInboundAt)
  return { id, stored: found.stored.get(id), customerId: conversation?.customerId ?? null, after }
}

async function findFirstInbound(store: TenantStore, conversationId: string): Promise<string | undefined> {
  const filter = { conversationId, sort: 'createdAt', page: 1, limit: firstMessagesMax } as const
  const { rows } = await store.messages.listRows(filter)
  return rows.find(({ direction }) => direction === 'inbound')?.createdAt
}

function shareWrites({ id, stored, after: share, customerId }: Counted, tenantId: TenantId): Write[] {
  if (share === undefined) return stored === undefined ? [] : [removalOf('figureShares', stored)]
  const set = { customerId, share, expiresAt: endOfShare(share) }
  if (stored === undefined)
    return [{ op: 'insert', kind: 'figureShares', row: { _id: id, tenantId, ...set } }]
  return [{ op: 'update', kind: 'figureShares', id, expectVersion: stored.version, set }]
}

/** Figures whose time is over are not made again. */
async function dayWrites(
  store: TenantStore,
  { changes, now }: { changes: readonly DayChange[]; now: string },
): Promise<Write[]> {
  const kept = changes.filter(({ day }) => endOfDay(day) > now)
  const days = byId(await store.figureDays.findAll(kept.map(figureDayId)))
  return kept.flatMap((change) =>
    dayWrite(change, { stored: days.get(figureDayId(change)), tenantId: store.tenantId }),
  )
}

interface DayOfTenant {
  tenantId: TenantId
  stored: Stored<FigureDay> | undefined
}

function dayWrite(change: DayChange, { tenantId, stored }: DayOfTenant): Write[] {
  const { day, grouping } = change
  const _id = figureDayId(change)
  const cells = addCells(stored?.cells ?? [], change.cells)
  if (stored === undefined) {
    const row = { _id, tenantId, grouping, day, cells, expiresAt: endOfDay(day) }
    return cells.length === 0 ? [] : [{ op: 'insert', kind: 'figureDays', row }]
  }
  if (cells.length === 0) return [removalOf('figureDays', stored)]
  return [{ op: 'update', kind: 'figureDays', id: _id, expectVersion: stored.version, set: { cells } }]
}
