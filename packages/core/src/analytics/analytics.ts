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
