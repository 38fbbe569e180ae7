import type { ConversationFigures } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { more } from '../../strings/more.ts'
import { locale } from '../../strings/strings.ts'
import { styles } from './analytics-styles.ts'
import type { AllFigures } from './use-figures.ts'

const numbers = {
  created: ({ created }: ConversationFigures) => created,
  closed: ({ closed }: ConversationFigures) => closed,
  responses: ({ firstResponse }: ConversationFigures) => firstResponse.count,
} as const

function sumOf(figures: readonly ConversationFigures[], of: (one: ConversationFigures) => number): number {
  return figures.reduce((sum, one) => sum + of(one), 0)
}

/** With its sign; of nothing before, no change can be said. */
function changeOf(now: number, before: number): string {
  if (before === 0) return ''
  const percent = new Intl.NumberFormat(locale, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 0,
  })
  return percent.format((now - before) / before)
}

/** The numbers of the range beside those of as many days before it. */
export function Totals({ all }: { readonly all: AllFigures }): JSX.Element {
  const { columns, before } = more.analytics
  return (
    <dl style={styles.totals}>
      {(Object.keys(numbers) as (keyof typeof numbers)[]).map((name) => {
        const now = sumOf(all.of.day, numbers[name])
        const then = sumOf(all.before, numbers[name])
        return (
          <div key={name} style={styles.total}>
            <dt style={styles.totalName}>{columns[name]}</dt>
            <dd style={styles.totalNumber}>{now.toLocaleString(locale)}</dd>
            <dd style={styles.totalBefore}>{before(then.toLocaleString(locale), changeOf(now, then))}</dd>
          </div>
        )
      })}
    </dl>
  )
}
