import { z } from 'zod'
import { defineOperation, sessionOrKey } from '../contract/define-operation.ts'
import { dataOf, successFlag } from '../contract/envelopes.ts'
import { queryMonth } from '../shared/month.ts'
import { queryInteger } from '../shared/page.ts'
import { referenceTo } from '../shared/reference.ts'
import { timeZoneName } from '../shared/time-zone.ts'
import {
  conversationFigures,
  figureGroups,
  monthlyUsage,
  performanceMetrics,
  tagCount,
  usageOfMonth,
} from './analytics.ts'
import { dayOrMoment, rangeEnd, rangeStart } from './date-range.ts'

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

export const getConversationFigures = defineOperation({
  id: 'analytics.conversations',
  method: 'GET',
  path: `${path}/conversations`,
  auth,
  summary:
    'Count conversations and measure first responses, by day, channel, hour of the week, agent, label or inbox',
  description:
    'Counted as they are now: a change of the assignee or of the labels moves a conversation, a deletion subtracts it, and one that is opened again is not closed any more. The figures are at most 2 minutes old and are stored by hours of UTC for 24 months: a zone of half an hour is rounded. By agent, users whose processing is restricted are left out.',
  request: {
    query: z.object({
      startDate: dayOrMoment
        .optional()
        .describe(
          'First moment of the range, or its first day in `timeZone`. Default: 30 days with the last one.',
        ),
      endDate: dayOrMoment
        .optional()
        .describe(
          'Last moment of the range, or its last day in `timeZone`. Default: today. At most 366 days.',
        ),
      groupBy: z.enum(figureGroups).default('day').describe('The value by which the figures are split.'),
      timeZone: timeZoneName
        .default('UTC')
        .describe('IANA time zone of days and hours, such as `Europe/Berlin`.'),
    }),
  },
  status: 200,
  response: z.object({
    success: successFlag,
    data: z
      .array(conversationFigures)
      .describe(
        'Each day of the range, oldest first; each hour of the week; or each value with figures, most created first.',
      ),
  }),
})
