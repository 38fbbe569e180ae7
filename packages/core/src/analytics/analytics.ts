import { z } from 'zod'

const counts = z.record(z.string(), z.int())
const month = z.string().describe('Month in UTC, `YYYY-MM`.')
const totalRequests = z
  .int()
  .describe('Requests with a valid credential in that month, refused ones included.')
const requestsOutsidePlan = z
  .int()
  .min(0)
  .describe('Further requests, such as presence and read marks, that no plan counts.')
const requestsByEndpoint = counts.describe('Requests by path template, such as `/api/v1/customers/{id}`.')
const milliseconds = z.number().min(0)

export const monthlyUsage = z
  .object({
    month,
    usage: z
      .object({
        totalRequests,
        requestsOutsidePlan,
        requestsByEndpoint,
        requestsByMethod: counts.describe('Requests by HTTP method.'),
      })
      .describe('The requests of the tenant.'),
    limits: z
      .object({
        apiCalls: z.int().describe('Requests that the plan includes in a month; -1 for any number.'),
        isUnlimited: z.boolean().describe('Whether the plan includes any number of requests.'),
      })
      .describe('The plan of the tenant.'),
    overage: z
      .object({
        requests: z.int().min(0).describe('Requests beyond the limit; 0 without a limit.'),
        percentage: z
          .number()
          .min(0)
          .describe('`requests` as a percentage of the limit, 2 decimals; 0 without a limit.'),
      })
      .describe('The part of the usage that exceeds the limit.'),
  })
  .meta({
    id: 'MonthlyUsage',
    description: 'Requests of a tenant in one month, beside the limit of its plan.',
  })
export type MonthlyUsage = z.infer<typeof monthlyUsage>

export const usageOfMonth = z
  .object({ month, totalRequests, requestsOutsidePlan, requestsByEndpoint })
  .meta({ id: 'UsageOfMonth', description: 'Requests of a tenant in one month of its history.' })

export const performanceMetrics = z
  .object({
    month,
    averageResponseTime: milliseconds.describe('Average response time in milliseconds; 0 without requests.'),
    p95ResponseTime: milliseconds.describe(
      'Response time in milliseconds that 95 % of the requests do not exceed, with an error of at most 1 %.',
    ),
    p99ResponseTime: milliseconds.describe(
      'Response time in milliseconds that 99 % of the requests do not exceed, with an error of at most 1 %.',
    ),
    errorRate: z
      .number()
      .min(0)
      .max(100)
      .describe('`failedRequests` as a percentage of `totalRequests`, 2 decimals.'),
    totalRequests,
    successfulRequests: z.int().min(0).describe('Requests with a 2xx response.'),
    failedRequests: z.int().min(0).describe('Requests with a 4xx or 5xx response.'),
  })
  .meta({
    id: 'PerformanceMetrics',
    description: 'Response times and outcomes of the requests of one month.',
  })
export type PerformanceMetrics = z.infer<typeof performanceMetrics>

export const figureGroups = ['day', 'channel', 'hourOfWeek', 'agent', 'label', 'inbox'] as const
export type FigureGroup = (typeof figureGroups)[number]
/** The key of figures of users who do not belong to the tenant any more. */
export const formerMember = 'former member'

const percentile = (share: number) =>
  z
    .int()
    .min(0)
    .nullable()
    .describe(
      `Milliseconds within which ${share} % of them came, with an error of at most 5 %; null without any.`,
    )

export const conversationFigures = z
  .object({
    key: z
      .string()
      .nullable()
      .describe(
        'A day (`2026-01-31`), a channel, an hour of the week (`0` to `167`, from Monday 00:00), the id of a user or of an inbox, or a label. By agent: null for conversations of nobody, `former member` for users who were deleted.',
      ),
    created: z.int().min(0).describe('Conversations that began in the range.'),
    createdByChannel: z
      .record(z.string(), z.int().min(1))
      .nullable()
      .describe('By day: `created` of each channel that has some. Otherwise null.'),
    closed: z.int().min(0).describe('Conversations that were closed in the range and are closed still.'),
    firstResponse: z
      .object({
        count: z.int().min(0).describe('Conversations that began in the range and have a response.'),
        p50Ms: percentile(50),
        p90Ms: percentile(90),
      })
      .describe(
        'Times from the first inbound message (without one: from the start) to the first response that is not automatic.',
      ),
  })
  .meta({ id: 'ConversationFigures', description: 'Figures of conversations with one value.' })
export type ConversationFigures = z.infer<typeof conversationFigures>

export const tagCount = z
  .object({
    tag: z.string().describe('Label as it is written on conversations.'),
    count: z.int().min(0).describe('Conversations with the label.'),
    percentage: z
      .number()
      .min(0)
      .max(100)
      .describe('`count` as a percentage of all labelled conversations in the range, 2 decimals.'),
  })
  .meta({ id: 'TagCount', description: 'Number of conversations with one label.' })
export type TagCount = z.infer<typeof tagCount>
