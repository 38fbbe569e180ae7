import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Store } from '../../store/store.ts'
import type { ListName } from '../../store/views.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { IconButton } from '../../ui/button.tsx'
import { Empty, ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { styles } from './analytics-styles.ts'
import { ApiUse, DayCharts, GroupSection, WeekSection } from './sections.tsx'
import { Totals } from './totals.tsx'
import { type AllFigures, useFigures } from './use-figures.ts'

interface AnalyticsPaneProps {
  readonly store: Store
  readonly addressOfList: (list: ListName) => string
  /** Shows the views on a narrow screen. */
  readonly onMenu: () => void
}

const ranges = [7, 28, 90, 365] as const

/** The figures of the team's conversations. */
export function AnalyticsPane({ store, addressOfList, onMenu }: AnalyticsPaneProps): JSX.Element {
  const [days, setDays] = useState<number>(28)
  const { all, problem, read } = useFigures(store, days)
  const texts = more.analytics
  return (
    <section class="list-pane setup" aria-label={texts.title}>
      <header class="list-head">
        <h1>{texts.title}</h1>
        <IconButton class="nav-open" icon="menu" label={t.nav.openMenu} onClick={onMenu} />
      </header>
      <div style={styles.body}>
        <label class="field">
          {texts.range}
          <select
            class="input"
            value={String(days)}
            onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
          >
            {ranges.map((one) => (
              <option key={one} value={one}>
                {texts.ranges[one]}
              </option>
            ))}
          </select>
        </label>
        {problem && <ProblemBox title={texts.failed} reason={problem} onRetry={read} />}
        {all === undefined && !problem && <SkeletonRows count={6} rowHeight={140} />}
        {all && <Charts store={store} all={all} addressOfList={addressOfList} />}
      </div>
    </section>
  )
}

type ChartsProps = Pick<AnalyticsPaneProps, 'store' | 'addressOfList'> & { readonly all: AllFigures }

function Charts(props: ChartsProps): JSX.Element {
  const { all } = props
  const isEmpty = all.of.day.every(({ created, closed }) => created + closed === 0)
  return (
    <>
      <p style={styles.hint}>{more.analytics.hint(all.range.timeZone)}</p>
      {isEmpty ? (
        <Empty title={more.analytics.none} hint={more.analytics.noneHint} />
      ) : (
        <>
          <Totals all={all} />
          <DayCharts {...props} />
          <GroupSection {...props} group="channel" />
          <WeekSection figures={all.of.hourOfWeek} />
          <GroupSection {...props} group="agent" />
          <GroupSection {...props} group="label" />
          <GroupSection {...props} group="inbox" />
        </>
      )}
      <ApiUse usage={all.usage} />
    </>
  )
}
