import {
  type ConversationFigures,
  type FigureGroup,
  foldLabel,
  formerMember,
  type getConversationFigures,
} from '@crmkit/core'
import type { TenantReads } from '../../../ports/storage.ts'
import { readAll } from '../../../shared/read-all.ts'
import { addBuckets } from '../../../storage/histogram.ts'
import type { FigureCell, FigureGrouping } from '../../../storage/kinds/figure-days.ts'
import type { Handler } from '../../handler.ts'
import { figuresRange, type HourRange } from './figures-range.ts'
import { firstResponses } from './first-response.ts'
import { ZoneHours } from './zone-hours.ts'

const hourMs = 3_600_000
/** Days that are read at once: those of a tenant with many labels are long. */
const daysPerPage = 31
const hoursOfWeek = 168
const dayLength = 'YYYY-MM-DD'.length

interface Sum {
  created: number
  closed: number
  responses: Record<string, number>
}

const groupings: Readonly<Record<FigureGroup, FigureGrouping>> = {
  day: 'channel',
  hourOfWeek: 'channel',
  channel: 'channel',
  agent: 'agent',
  label: 'label',
  inbox: 'inbox',
}

class Sums {
  readonly #sums = new Map<string, Sum>()
  /** By key, how many began with each value of the grouping. */
  readonly #created = new Map<string, Map<string, number>>()

  add(key: string, [value, , created, closed, responses]: FigureCell): void {
    const byValue = this.#created.get(key) ?? new Map<string, number>()
    this.#created.set(key, byValue.set(value, (byValue.get(value) ?? 0) + created))
    const sum = this.#sums.get(key) ?? { created: 0, closed: 0, responses: {} }
    sum.created += created
    sum.closed += closed
    for (const [bucket, count] of Object.entries(responses))
      sum.responses[bucket] = (sum.responses[bucket] ?? 0) + count
    this.#sums.set(key, sum)
  }

  /** Of a day, whose grouping is the channel. */
  channelsOf(key: string): Record<string, number> {
    const byValue = [...(this.#created.get(key) ?? [])].filter(([, created]) => created > 0)
    return Object.fromEntries(byValue.sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  get keys(): string[] {
    return [...this.#sums.keys()]
  }

  /** Returns the figures of a key, with zeros where nothing happened. */
  figuresOf(key: string | null, of: readonly string[] = [key ?? '']): ConversationFigures {
    const sums = of.flatMap((one) => this.#sums.get(one) ?? [])
    const buckets = sums.reduce<Record<string, number>>(
      (all, { responses }) => addBuckets(all, responses),
      {},
    )
    const count = sumOf(Object.values(buckets))
    const within = (share: number) => {
      const value = firstResponses.percentile({ count, buckets }, share)
      return value === undefined ? null : Math.round(value)
    }
    return {
      key,
      created: sumOf(sums.map(({ created }) => created)),
      createdByChannel: null,
      closed: sumOf(sums.map(({ closed }) => closed)),
      firstResponse: { count, p50Ms: within(0.5), p90Ms: within(0.9) },
    }
  }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

interface Read {
  store: Pick<TenantReads, 'figureDays'>
  range: HourRange
  zone: ZoneHours
}

/** Sums up the figures of a range by the keys that a group has. */
async function readSums({ store, range, zone }: Read, groupBy: FigureGroup): Promise<Sums> {
  const sums = new Sums()
  const since = new Date(range.startMs).toISOString().slice(0, dayLength)
  const until = new Date(range.endMs - 1).toISOString().slice(0, dayLength)
  const filter = { grouping: groupings[groupBy], since, until, page: 1, limit: daysPerPage }
  for await (const { day, cells } of readAll((cursor) => store.figureDays.listRows({ ...filter, cursor }))) {
    const midnightMs = Date.parse(day)
    for (const cell of cells) {
      const atMs = midnightMs + cell[1] * hourMs
      if (atMs < range.startMs || atMs >= range.endMs) continue
      const key = groupBy === 'day' || groupBy === 'hourOfWeek' ? timeKey(zone, atMs, groupBy) : cell[0]
      sums.add(key, cell)
    }
  }
  return sums
}

function timeKey(zone: ZoneHours, atMs: number, groupBy: 'day' | 'hourOfWeek'): string {
  const local = zone.of(atMs)
  return groupBy === 'day' ? local.day : String(local.hourOfWeek)
}

/** The processing of some users is restricted: no figures about them. Users who are deleted are one. */
async function byAgent(store: Pick<TenantReads, 'users'>, sums: Sums): Promise<ConversationFigures[]> {
  const figures: ConversationFigures[] = []
  const former: string[] = []
  for (const key of sums.keys) {
    const user = key === '' ? undefined : await store.users.find(key)
    if (key === '') figures.push(sums.figuresOf(null))
    else if (user === undefined) former.push(key)
    else if (!user.processingRestricted) figures.push(sums.figuresOf(key))
  }
  return former.length === 0 ? figures : [...figures, sums.figuresOf(formerMember, former)]
}

/** Spellings that differ in case only are one label, in its most frequent spelling. */
function byLabel(sums: Sums): ConversationFigures[] {
  const groups = Map.groupBy(sums.keys, foldLabel)
  return [...groups.values()].flatMap((spellings) => {
    const [most] = byCount(spellings.map((one) => sums.figuresOf(one)))
    return most ? [sums.figuresOf(most.key, spellings)] : []
  })
}

function byCount(figures: readonly ConversationFigures[]): ConversationFigures[] {
  return figures.toSorted(
    (a, b) => b.created - a.created || b.closed - a.closed || ((a.key ?? '') < (b.key ?? '') ? -1 : 1),
  )
}

export const handleGetConversationFigures: Handler<typeof getConversationFigures> = async (
  ctx,
  { query },
) => {
  const { store, now } = ctx
  const zone = new ZoneHours(query.timeZone)
  const range = figuresRange(query, { zone, nowMs: Date.parse(now) })
  const { groupBy } = query
  const sums = await readSums({ store, range, zone }, groupBy)
  const data = await dataOf({ store, range, sums }, groupBy)
  return { reply: { success: true, data } }
}

interface Summed extends Pick<Read, 'range'> {
  store: Pick<TenantReads, 'users'>
  sums: Sums
}

async function dataOf({ store, range, sums }: Summed, groupBy: FigureGroup): Promise<ConversationFigures[]> {
  switch (groupBy) {
    case 'day':
      return range.days.map((day) => ({ ...sums.figuresOf(day), createdByChannel: sums.channelsOf(day) }))
    case 'hourOfWeek':
      return Array.from({ length: hoursOfWeek }, (_, hour) => sums.figuresOf(String(hour)))
    case 'agent':
      return byCount(await byAgent(store, sums))
    case 'label':
      return byCount(byLabel(sums))
    default:
      return byCount(sums.keys.map((key) => sums.figuresOf(key)))
  }
}
