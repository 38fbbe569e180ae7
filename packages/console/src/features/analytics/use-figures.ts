import type { ConversationFigures, UsageOfMonth } from '@crmkit/sdk'
import { useEffect, useState } from 'preact/hooks'
import { type FigureRange, readFigures, readUsageHistory } from '../../api/figures.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import type { Store } from '../../store/store.ts'

const groups = ['day', 'channel', 'hourOfWeek', 'agent', 'label', 'inbox'] as const
type Group = (typeof groups)[number]

export interface AllFigures {
  readonly range: FigureRange
  readonly of: Readonly<Record<Group, readonly ConversationFigures[]>>
  /** By day, of as many days before the range. */
  readonly before: readonly ConversationFigures[]
  readonly usage: readonly UsageOfMonth[]
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

function dayOf(date: Date): string {
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

function dayBefore(days: number): string {
  const date = new Date()
  date.setDate(date.getDate() - days)
  return dayOf(date)
}

/** So many days of the viewer's zone, the last of them so many days ago. */
function rangeOf(days: number, ago = 0): FigureRange {
  return { startDate: dayBefore(ago + days - 1), endDate: dayBefore(ago), timeZone: viewerZone() }
}

function viewerZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Returns the first and the last millisecond of the days of a range, as the filter of a list has them. */
export function momentsOf(first: string, last: string): { createdSince: string; createdUntil: string } {
  const end = new Date(`${last}T00:00:00`)
  end.setDate(end.getDate() + 1)
  end.setMilliseconds(-1)
  return { createdSince: new Date(`${first}T00:00:00`).toISOString(), createdUntil: end.toISOString() }
}

/** Reads the figures of the last days, again for each number of days. */
export function useFigures({ crm }: Store, days: number) {
  const [all, setAll] = useState<AllFigures>()
  const [problem, setProblem] = useState<Problem>()
  const [reads, setReads] = useState(0)
  useEffect(() => {
    let isLatest = true
    const range = rangeOf(days)
    setProblem(undefined)
    const read = async (): Promise<AllFigures> => {
      const figures = groups.map(
        async (groupBy) => [groupBy, await readFigures(crm, { ...range, groupBy })] as const,
      )
      const [usage, before, ...of] = await Promise.all([
        readUsageHistory(crm),
        readFigures(crm, { ...rangeOf(days, days), groupBy: 'day' }),
        ...figures,
      ])
      return { range, before, usage, of: Object.fromEntries(of) as AllFigures['of'] }
    }
    read().then(
      (figures) => isLatest && setAll(figures),
      (error: unknown) => isLatest && setProblem(problemOf(error)),
    )
    return () => {
      isLatest = false
    }
  }, [days, reads])
  return { all, problem, read: () => setReads((count) => count + 1) }
}
