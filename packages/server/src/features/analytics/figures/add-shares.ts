import { addBuckets } from '../../../storage/histogram.ts'
import type { FigureCell, FigureGrouping } from '../../../storage/kinds/figure-days.ts'
import type { ShareOfFigures } from '../../../storage/kinds/figure-shares.ts'
import { endOfUsage } from '../../../storage/rules/usage.ts'

export interface DayAndGrouping {
  /** A day in UTC. */
  day: string
  grouping: FigureGrouping
}

/** Changes of the figures of one day, by one grouping. */
export interface DayChange extends DayAndGrouping {
  cells: FigureCell[]
}

const dayLength = 'YYYY-MM-DD'.length

/** Returns when the figures of a day are deleted: as for all figures, 24 months after the end of its month. */
export function endOfDay(day: string): string {
  return endOfUsage(day.slice(0, 'YYYY-MM'.length))
}

/** Returns when the last figures that hold a share are deleted. */
export function endOfShare({ createdHour, closedHour }: ShareOfFigures): string {
  const last = closedHour !== null && closedHour > createdHour ? closedHour : createdHour
  return endOfDay(last.slice(0, dayLength))
}

export function figureDayId({ day, grouping }: DayAndGrouping): string {
  return `${day} ${grouping}`
}

/** The values by which a share counts. */
function keysOf({ channel, agent, inbox, labels }: ShareOfFigures): [FigureGrouping, string][] {
  return [
    ['channel', channel],
    ['agent', agent],
    ['inbox', inbox],
    ...labels.map((label): [FigureGrouping, string] => ['label', label]),
  ]
}

/** Returns what a share adds (1) or takes back (-1). */
function changesOf(share: ShareOfFigures, sign: 1 | -1): DayChange[] {
  const { createdHour, closedHour, bucket } = share
  const responses = bucket === null ? {} : { [bucket]: sign }
  return keysOf(share).flatMap(([grouping, key]) => {
    const cellAt = (
      at: string,
      cell: [created: number, closed: number, responses: Record<string, number>],
    ) => {
      const hour = Number(at.slice(dayLength + 1))
      return { day: at.slice(0, dayLength), grouping, cells: [[key, hour, ...cell] as const] }
    }
    const created = cellAt(createdHour, [sign, 0, responses])
    return closedHour === null ? [created] : [created, cellAt(closedHour, [0, sign, {}])]
  })
}

/** Returns the changes that put one share in the place of another, of each day and grouping one. */
export function changesBetween(
  shares: readonly { before: ShareOfFigures | undefined; after: ShareOfFigures | undefined }[],
): DayChange[] {
  const changes = shares.flatMap(({ before, after }) => [
    ...(before === undefined ? [] : changesOf(before, -1)),
    ...(after === undefined ? [] : changesOf(after, 1)),
  ])
  return [...Map.groupBy(changes, figureDayId).values()].flatMap((group) => {
    const cells = addCells(
      [],
      group.flatMap((change) => change.cells),
    )
    const [first] = group
    return first === undefined || cells.length === 0 ? [] : [{ ...first, cells }]
  })
}

function isEmpty([, , created, closed, responses]: FigureCell): boolean {
  return created === 0 && closed === 0 && Object.values(responses).every((count) => count === 0)
}

/** Adds up the figures of each value and hour. A cell of nothing is left out: an erased label must not stay in it. */
export function addCells(to: readonly FigureCell[], more: readonly FigureCell[]): FigureCell[] {
  const sums = new Map<string, FigureCell>()
  for (const cell of [...to, ...more]) {
    const [key, hour, created, closed, responses] = cell
    const id = `${hour} ${key}`
    const known = sums.get(id)
    const sum: FigureCell | undefined = known && [
      key,
      hour,
      known[2] + created,
      known[3] + closed,
      withoutZeros(addBuckets(known[4], responses)),
    ]
    sums.set(id, sum ?? cell)
  }
  return [...sums.values()].filter((cell) => !isEmpty(cell))
}

function withoutZeros(buckets: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(buckets).filter(([, count]) => count !== 0))
}
