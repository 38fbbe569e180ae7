import type { ConversationFigures, UsageOfMonth } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { channels, type ListFilter, type ListName } from '../../store/views.ts'
import { more } from '../../strings/more.ts'
import { locale, t } from '../../strings/strings.ts'
import { lengthOf } from '../../strings/times.ts'
import { styles } from './analytics-styles.ts'
import { Bars, Legend, Lines } from './charts.tsx'
import type { CsvRow } from './csv.ts'
import { FigureSection, FigureTable } from './figure-section.tsx'
import { type AllFigures, momentsOf } from './use-figures.ts'

interface SectionProps {
  readonly store: Store
  readonly all: AllFigures
  readonly addressOfList: (list: ListName) => string
}

const texts = () => more.analytics
const valueColumns = () => {
  const { created, closed, responses, median, p90 } = texts().columns
  return [created, closed, responses, median, p90]
}
const shownLength = (ms: number | null) => (ms === null ? '–' : lengthOf(ms))
const seconds = (ms: number | null) => (ms === null ? null : Math.round(ms / 1000))
const dayName = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

const monthName = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Of a number, in percent of the largest one. Zero has none. */
function Bar({ share = 0 }: { readonly share: number | undefined }): JSX.Element | null {
  return share > 0 ? <div style={{ ...styles.bar, width: `${share}%` }} /> : null
}

/** In CSV the lengths are seconds. */
function csvOf(title: string, rows: readonly { name: string; figures: ConversationFigures }[]) {
  const [created = '', closed = '', responses = '', median, p90] = valueColumns()
  return [
    [title, created, closed, responses, `${median} (s)`, `${p90} (s)`],
    ...rows.map(({ name, figures: { created, closed, firstResponse } }) => [
      name,
      created,
      closed,
      firstResponse.count,
      seconds(firstResponse.p50Ms),
      seconds(firstResponse.p90Ms),
    ]),
  ]
}

interface RowProps {
  readonly name: string
  readonly figures: ConversationFigures
  /** The list behind the number of conversations; undefined: no list shows them. */
  readonly address: string | undefined
  /** The width of the bar that stands for the number, in percent; undefined: without a bar. */
  readonly share?: number
}

function FigureRow({ name, figures, address, share }: RowProps): JSX.Element {
  const { created, closed, firstResponse } = figures
  return (
    <tr>
      <th scope="row" style={styles.cell} dir="auto">
        {name}
        <Bar share={share} />
      </th>
      <td style={styles.cell}>
        {address !== undefined && created > 0 ? (
          <a href={address} aria-label={texts().list(created, name)}>
            {created}
          </a>
        ) : (
          created
        )}
      </td>
      <td style={styles.cell}>{closed}</td>
      <td style={styles.cell}>{firstResponse.count}</td>
      <td style={styles.cell}>{shownLength(firstResponse.p50Ms)}</td>
      <td style={styles.cell}>{shownLength(firstResponse.p90Ms)}</td>
    </tr>
  )
}

const colours = [
  'var(--accent)',
  'var(--warn)',
  'var(--good)',
  'var(--danger)',
  'var(--line-strong)',
  'color-mix(in srgb, var(--accent) 50%, var(--good))',
  'color-mix(in srgb, var(--accent) 50%, var(--danger))',
  'color-mix(in srgb, var(--warn) 50%, var(--ground))',
]

/** The channels of the days, the one with the most conversations first, each always in the same colour. */
function channelsOf({ of }: AllFigures) {
  const used = of.channel.filter(({ created }) => created > 0)
  return used.map(({ key }) => {
    const channel = key ?? ''
    const place = channels.map(String).indexOf(channel)
    return {
      name: nameOfChannel(channel),
      colour: colours[place < 0 ? colours.length - 1 : place % colours.length] ?? 'var(--accent)',
      values: of.day.map(({ createdByChannel }) => createdByChannel?.[channel] ?? 0),
    }
  })
}

/** Adds a column for each channel. */
function withChannels(csv: readonly CsvRow[], parts: ReturnType<typeof channelsOf>): CsvRow[] {
  return csv.map((row, line) => [
    ...row,
    ...parts.map(({ name, values }) => (line === 0 ? name : (values[line - 1] ?? 0))),
  ])
}

/** Conversations and first responses of each day: two charts, with one table of their numbers. */
export function DayCharts({ all, addressOfList }: SectionProps): JSX.Element {
  const rows = all.of.day.map((figures) => ({
    figures,
    name: dayName.format(new Date(`${figures.key}T00:00:00.000Z`)),
  }))
  const { charts, columns } = texts()
  const most = Math.max(...rows.map(({ figures }) => figures.created))
  const parts = channelsOf(all)
  return (
    <>
      <FigureSection title={charts.day} csv={withChannels(csvOf(columns.day, rows), parts)}>
        <Bars
          label={texts().bars(charts.day, String(most))}
          names={rows.map(({ name }) => name)}
          parts={parts}
        />
        <Legend parts={parts} />
      </FigureSection>
      <FigureSection title={charts.response} csv={csvOf(columns.day, rows)}>
        <Lines
          label={texts().lines(charts.response)}
          lines={[
            { colour: 'var(--accent)', values: rows.map(({ figures }) => figures.firstResponse.p50Ms) },
            { colour: 'var(--warn)', values: rows.map(({ figures }) => figures.firstResponse.p90Ms) },
          ]}
        />
        <details>
          <summary>{texts().table}</summary>
          <FigureTable label={charts.day} columns={[columns.day, ...valueColumns()]}>
            {rows.toReversed().map(({ figures, name }) => (
              <FigureRow
                key={name}
                name={name}
                figures={figures}
                address={addressOfList({
                  view: 'open',
                  filter: momentsOf(figures.key ?? '', figures.key ?? ''),
                })}
              />
            ))}
          </FigureTable>
        </details>
      </FigureSection>
    </>
  )
}

type Group = 'channel' | 'agent' | 'label' | 'inbox'

/** A row for each value, with a bar. */
export function GroupSection({
  store,
  all,
  addressOfList,
  group,
}: SectionProps & { readonly group: Group }): JSX.Element | null {
  const figures = all.of[group]
  if (figures.length === 0) return null
  const title = texts().charts[group]
  const rows = figures.map((one) => ({ figures: one, name: nameOf(store, group, one.key) }))
  const most = Math.max(1, ...figures.map(({ created }) => created))
  const moments = momentsOf(all.range.startDate, all.range.endDate)
  return (
    <FigureSection title={title} csv={csvOf(texts().columns[group], rows)}>
      <FigureTable label={title} columns={[texts().columns[group], ...valueColumns()]}>
        {rows.map(({ figures: one, name }) => {
          const narrowed = listOf(group, one.key)
          const list = narrowed && {
            view: 'open' as const,
            ...narrowed,
            filter: { ...narrowed.filter, ...moments },
          }
          return (
            <FigureRow
              key={one.key}
              name={name}
              figures={one}
              address={list && addressOfList(list)}
              share={(one.created / most) * 100}
            />
          )
        })}
      </FigureTable>
    </FigureSection>
  )
}

function nameOfChannel(key: string): string {
  return channels.some((one) => one === key) ? Reflect.get(t.channels, key) : key
}

function nameOf(store: Store, group: Group, key: string | null): string {
  if (key === null) return t.actions.nobody
  if (group === 'channel') return nameOfChannel(key)
  if (group === 'inbox') return store.inboxes.value.find(({ _id }) => _id === key)?.name ?? key
  const user = group === 'agent' ? store.users.value.find(({ _id }) => _id === key) : undefined
  return user ? nameOfUser(user) : group === 'agent' ? t.activity.former : key
}

/** Returns the list of a value; undefined for users who were deleted: no filter finds them together. */
function listOf(
  group: Group,
  key: string | null,
): { readonly inboxId?: string; readonly filter?: ListFilter } | undefined {
  if (group === 'inbox') return { inboxId: key ?? '' }
  if (group === 'agent' && key?.includes(' ')) return undefined
  if (group === 'agent') return { filter: { assignedTo: key ?? 'none' } }
  return { filter: { [group]: key ?? '' } }
}

const hours = Array.from({ length: 24 }, (_, hour) => hour)
// The first of January 2024 was a Monday.
const weekdays = Array.from({ length: 7 }, (_, day) =>
  new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1 + day)),
)

/** The hours of a week as a table whose cells are the darker, the more began. */
export function WeekSection({ figures }: { readonly figures: readonly ConversationFigures[] }): JSX.Element {
  const title = texts().charts.hourOfWeek
  const createdAt = (day: number, hour: number) => figures[day * 24 + hour]?.created ?? 0
  const most = Math.max(1, ...figures.map(({ created }) => created))
  const columns = [texts().columns.weekday, ...hours.map(String)]
  const csv = [columns, ...weekdays.map((name, day) => [name, ...hours.map((hour) => createdAt(day, hour))])]
  return (
    <FigureSection title={title} csv={csv}>
      <FigureTable label={title} columns={columns}>
        {weekdays.map((name, day) => (
          <tr key={name}>
            <th scope="row" style={styles.cell}>
              {name}
            </th>
            {hours.map((hour) => (
              <td key={hour} style={{ ...styles.hour, background: shadeOf(createdAt(day, hour) / most) }}>
                {createdAt(day, hour) || ''}
              </td>
            ))}
          </tr>
        ))}
      </FigureTable>
    </FigureSection>
  )
}

/** Light enough for the text of both themes. */
function shadeOf(share: number): string {
  return `color-mix(in srgb, var(--accent) ${Math.round(share * 35)}%, transparent)`
}

/** Requests of the last twelve months. */
export function ApiUse({ usage }: { readonly usage: readonly UsageOfMonth[] }): JSX.Element {
  const { charts, columns } = texts()
  const most = Math.max(1, ...usage.map(({ totalRequests }) => totalRequests))
  const csv = [[columns.month, columns.requests], ...usage.map((one) => [one.month, one.totalRequests])]
  return (
    <FigureSection title={charts.usage} csv={csv}>
      <FigureTable label={charts.usage} columns={[columns.month, columns.requests]}>
        {usage.map(({ month, totalRequests }) => (
          <tr key={month}>
            <th scope="row" style={styles.cell}>
              {monthName.format(Date.parse(`${month}-01`))}
              <Bar share={(totalRequests / most) * 100} />
            </th>
            <td style={styles.cell}>{totalRequests.toLocaleString(locale)}</td>
          </tr>
        ))}
      </FigureTable>
    </FigureSection>
  )
}
