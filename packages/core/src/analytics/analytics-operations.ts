import { z } from 'zod'
import { defineOperation, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, successFlag } from '../contract/envelopes.ts'
import { queryMonth } from '../shared/month.ts'
import { queryInteger } from '../shared/page.ts'
import { monthlyUsage, performanceMetrics, usageOfMonth } from './analytics.ts'

const path = '/api/v1/analytics'
const auth = sessionOrKey('read:analytics')
const month = queryMonth
  .optional()
  .describe('Month in UTC, `YYYY-MM`, at most 24 months back. Default: the current one.')

export const getUsage = defineOperation({
  id: 'analytics.usage',
  method: 'GET',
  path: `${path}/usage`,
  auth,
  summary: 'Count the requests of a month, by endpoint and by method, beside the limit of the plan',
  description:
    'Every request with a valid credential counts once, refused ones included. The counts are at most 2 s old and are stored for 24 months.',
  request: { query: z.object({ month }) },
  status: 200,
  response: dataOf(monthlyUsage),
})

export const getUsageHistory = defineOperation({
  id: 'analytics.usageHistory',
  method: 'GET',
  path: `${path}/usage/history`,
  auth,
  summary: 'Count the requests of the latest months, oldest month first',
  description:
    'One object for each month, with zeros for a month without requests. The last one is the current month.',
  request: {
    query: z.object({
      months: queryInteger({ min: 1, max: 24 })
        .default(12)
        .describe('Number of months, the current one included.'),
    }),
  },
  status: 200,
  response: z.object({
    success: successFlag,
    data: z.array(usageOfMonth).describe('One object for each month, oldest first.'),
  }),
})

export const getMetrics = defineOperation({
  id: 'analytics.metrics',
  method: 'GET',
  path: `${path}/metrics`,
  auth,
  summary: 'Measure the response times and the error rate of a month',
  description:
    'From the arrival of a request to its response. Streams and downloads are counted, but not timed. A 3xx response is neither a success nor a failure. The figures are at most 2 s old and are stored for 24 months.',
  request: { query: z.object({ month }) },
  status: 200,
  response: dataOf(performanceMetrics),
})
