import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type {
  ConversationFigures,
  MonthlyUsage,
  PerformanceMetrics,
  TagCount,
  UsageOfMonth,
} from '@crmkit/sdk'
import { usageError } from '../cli-error.ts'
import { cleanLine } from '../output/clean-text.ts'
import type { Column } from '../output/column.ts'
import { counted } from '../output/plural.ts'
import { findAssignee } from './conversations/find-assignee.ts'
import type { Call } from './factories/add-command.ts'
import { defineNoun } from './factories/define-noun.ts'
import { figuresCommand } from './factories/figures-command.ts'
import { monthOption } from './month-option.ts'
import { pastMoment, wholeNumber } from './option-values.ts'

interface Count {
  readonly kind: 'endpoint' | 'method'
  readonly name: string
  readonly requests: number
}

const countColumns: readonly Column<Count>[] = [
  { title: 'By', value: (row) => row.kind },
  { title: 'Name', value: (row) => row.name, isFlexible: true },
  { title: 'Requests', value: (row) => row.requests },
]

/** The highest number first. */
function countsOf(kind: Count['kind'], counts: Readonly<Record<string, number>>): Count[] {
  return Object.entries(counts)
    .map(([name, requests]) => ({ kind, name, requests }))
    .sort((a, b) => b.requests - a.requests)
}

function usageLine({ month, usage, limits, overage }: MonthlyUsage): string {
  const used = `${counted(usage.totalRequests, 'request')} in ${cleanLine(month)}`
  if (limits.isUnlimited) return `${used}.`
  const limit = `of ${limits.apiCalls.toLocaleString('en')} included`
  if (overage.requests === 0) return `${used}, ${limit}.`
  return `${used}, ${limit}: ${overage.requests.toLocaleString('en')} over, ${overage.percentage} %.`
}

const usage = figuresCommand({
  name: 'usage',
  description: 'Show how many requests the tenant made in a month, by endpoint and by method.',
  examples: ['crm analytics usage', 'crm analytics usage --csv > usage.csv'],
  options: (command) => command.addOption(monthOption()),
  fetch: ({ crm }, { month }) => crm.analytics.usage({ month }),
  rowsOf: ({ usage: { requestsByEndpoint, requestsByMethod } }: MonthlyUsage) => [
    ...countsOf('endpoint', requestsByEndpoint),
    ...countsOf('method', requestsByMethod),
  ],
  columns: countColumns,
  barOf: ({ requests }) => requests,
  quiet: ({ name }) => name,
  sayBelow: usageLine,
})

const historyColumns: readonly Column<UsageOfMonth>[] = [
  { title: 'Month', value: (row) => row.month },
  { title: 'Requests', value: (row) => row.totalRequests },
]

const history = figuresCommand({
  name: 'history',
  description: 'Show how many requests the tenant made in each of the latest months, oldest month first.',
  examples: ['crm analytics history', 'crm analytics history --months 24 --json'],
  options: (command) =>
    command.option('--months <n>', 'the number of months, 1 to 24; default: 12', wholeNumber),
  fetch: ({ crm }, { months }) => crm.analytics.usageHistory({ months }),
  rowsOf: (months: readonly UsageOfMonth[]) => months,
  columns: historyColumns,
  barOf: ({ totalRequests }) => totalRequests,
  quiet: ({ totalRequests }) => String(totalRequests),
})

interface Metric {
  readonly name: string
  readonly value: number
  readonly unit: string
}

const metricColumns: readonly Column<Metric>[] = [
  { title: 'Metric', value: (row) => row.name },
  { title: 'Value', value: (row) => row.value },
  { title: 'Unit', value: (row) => row.unit },
]

function metricsOf(metrics: PerformanceMetrics): Metric[] {
  return [
    { name: 'Average response time', value: metrics.averageResponseTime, unit: 'ms' },
    { name: '95th percentile', value: metrics.p95ResponseTime, unit: 'ms' },
    { name: '99th percentile', value: metrics.p99ResponseTime, unit: 'ms' },
    { name: 'Error rate', value: metrics.errorRate, unit: '%' },
    { name: 'Successful requests', value: metrics.successfulRequests, unit: 'requests' },
    { name: 'Failed requests', value: metrics.failedRequests, unit: 'requests' },
    { name: 'All requests', value: metrics.totalRequests, unit: 'requests' },
  ]
}

const metrics = figuresCommand({
  name: 'metrics',
  description: 'Show the response times and the error rate of a month.',
  examples: ['crm analytics metrics', 'crm analytics metrics --json p95ResponseTime,errorRate'],
  options: (command) => command.addOption(monthOption()),
  fetch: ({ crm }, { month }) => crm.analytics.metrics({ month }),
  rowsOf: metricsOf,
  columns: metricColumns,
  barOf: ({ unit, value }) => (unit === 'requests' ? value : undefined),
  quiet: ({ value }) => String(value),
})

const tagColumns: readonly Column<TagCount>[] = [
  { title: 'Label', value: (row) => row.tag, isFlexible: true },
  { title: 'Conversations', value: (row) => row.count },
  { title: 'Percent', value: (row) => row.percentage },
]

async function agentIdOf(call: Call, name: string): Promise<string> {
  const id = await findAssignee(call, name)
  if (id === null) throw usageError('--agent needs a user: an id, an e-mail or me.')
  return id
}

/** A day stays as it is: the server knows whether its start or its end is meant. */
function dayOrMoment(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return pastMoment(text)
  if (Number.isNaN(Date.parse(text))) throw new InvalidArgumentError('Expected a day such as 2027-01-31.')
  return text
}

const tags = figuresCommand({
  name: 'tags',
  description: 'Show how often each label is used by the conversations that were created in a range.',
  examples: [
    'crm analytics tags',
    'crm analytics tags --start 2026-11-01 --end 2026-11-30 --agent me',
    'crm analytics tags --start 90d --tag billing --csv',
  ],
  options: (command) =>
    command
      .option(
        '--start <day>',
        'the first day in UTC, a time, or such as 90d; default: 30 days before the end',
        dayOrMoment,
      )
      .option('--end <day>', 'the last day in UTC, or a time; default: now', dayOrMoment)
      .option('--agent <user>', 'only conversations of this user: an id, an e-mail or me')
      .option('--tag <label>', 'only this label'),
  fetch: async (call, { start, end, agent, tag }) => {
    const agentId = agent === undefined ? undefined : await agentIdOf(call, agent)
    return call.crm.analytics.tags({ startDate: start, endDate: end, agentId, tag })
  },
  rowsOf: (counts: readonly TagCount[]) => counts,
  columns: tagColumns,
  barOf: ({ count }) => count,
  quiet: ({ tag }) => tag,
  sayBelow: (counts) => `${counted(counts.length, 'label')}.`,
})

const groups = ['day', 'channel', 'hourOfWeek', 'agent', 'label', 'inbox'] as const
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The hour of a week is shown as its day and hour. */
function shownKey(by: string, key: string | null): string {
  if (key === null) return 'nobody'
  const hour = Number(key)
  return by === 'hourOfWeek'
    ? `${weekdays[Math.floor(hour / 24)]} ${String(hour % 24).padStart(2, '0')}:00`
    : key
}

interface FigureRow {
  readonly by: string
  readonly figures: ConversationFigures
}

const seconds = (ms: number | null) => (ms === null ? null : Math.round(ms / 1000))

const figureColumns: readonly Column<FigureRow>[] = [
  { title: 'Value', value: ({ by, figures }) => shownKey(by, figures.key), isFlexible: true },
  { title: 'Created', value: ({ figures }) => figures.created },
  { title: 'Closed', value: ({ figures }) => figures.closed },
  { title: 'Responses', value: ({ figures }) => figures.firstResponse.count },
  { title: 'Median s', value: ({ figures }) => seconds(figures.firstResponse.p50Ms) },
  { title: 'p90 s', value: ({ figures }) => seconds(figures.firstResponse.p90Ms) },
]

const conversations = figuresCommand({
  name: 'conversations',
  description: 'Show how many conversations began and were closed, and how fast the first response came.',
  examples: [
    'crm analytics conversations',
    'crm analytics conversations --by agent --start 2026-11-01 --end 2026-11-30 --zone Europe/Berlin',
    'crm analytics conversations --by hourOfWeek --start 90d --csv',
  ],
  options: (command) =>
    command
      .addOption(
        new Option('--by <group>', 'the value that splits the figures')
          .choices(groups)
          .default('day' as const),
      )
      .option(
        '--start <day>',
        'the first day in the zone, a time, or such as 90d; default: 30 days with the last one',
        dayOrMoment,
      )
      .option('--end <day>', 'the last day in the zone, or a time; default: today', dayOrMoment)
      .option('--zone <name>', 'the time zone of days and hours, such as Europe/Berlin; default: UTC'),
  fetch: ({ crm }, { by, start, end, zone }) =>
    crm.analytics.conversations({ groupBy: by, startDate: start, endDate: end, timeZone: zone }),
  rowsOf: (all: readonly ConversationFigures[], { by }) => all.map((figures) => ({ by, figures })),
  columns: figureColumns,
  barOf: ({ figures }) => figures.created,
  quiet: ({ by, figures }) => shownKey(by, figures.key),
})

export const defineAnalytics = defineNoun({
  name: 'analytics',
  examples: ['crm analytics usage', 'crm analytics tags --start 90d'],
  commands: [usage, history, metrics, tags, conversations],
})
