import { z } from 'zod'
import { defineOperation, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, successFlag } from '../contract/envelopes.ts'
import { queryMonth } from '../shared/month.ts'
import { queryInteger } from '../shared/page.ts'
import { referenceTo } from '../shared/reference.ts'
import { monthlyUsage, performanceMetrics, tagCount, usageOfMonth } from './analytics.ts'
import { rangeEnd, rangeStart } from './date-range.ts'

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

export const getTags = defineOperation({
  id: 'analytics.tags',
  method: 'GET',
  path: `${path}/tags`,
  auth,
  summary: 'Count how often each label is used, most frequent label first',
  description:
    'Counts the labelled conversations that were created in the range, each once for each of its labels. Without parameters the range is the last 30 days. A user whose processing is restricted has no figures of their own.',
  request: {
    query: z.object({
      startDate: rangeStart
        .optional()
        .describe('First moment of the range, or its first day in UTC. Default: 30 days before `endDate`.'),
      endDate: rangeEnd
        .optional()
        .describe('Last moment of the range, or its last day in UTC. Default: now.'),
      agentId: referenceTo('user', z.string().min(1).max(128))
        .optional()
        .describe('Only conversations that are assigned to this user; `me` is the signed-in user.'),
      tag: z.string().max(64).optional().describe('Only this label; its case has no meaning.'),
    }),
  },
  status: 200,
  response: z.object({
    success: successFlag,
    data: z.array(tagCount).describe('One object for each label, most frequent label first.'),
  }),
})
