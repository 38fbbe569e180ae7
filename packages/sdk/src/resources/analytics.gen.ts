// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions } from '../core/call-options.ts'
import { Resource } from '../core/resource.ts'
import type {
  AnalyticsConversationsQuery,
  AnalyticsMetricsQuery,
  AnalyticsTagsQuery,
  AnalyticsUsageHistoryQuery,
  AnalyticsUsageQuery,
  ConversationFigures,
  MonthlyUsage,
  PerformanceMetrics,
  TagCount,
  UsageOfMonth,
} from './types.gen.ts'

/** Requests of a month, response times and outcomes, how often labels are used, and figures of conversations. */
export class AnalyticsResource extends Resource {
  /**
   * Count the requests of a month, by endpoint and by method, beside the limit of the plan.
   *
   * Every request with a valid credential counts once, refused ones included. The counts are at most 2 s old and are stored for 24 months.
   *
   * `GET /api/v1/analytics/usage`. Needs the permission `read:analytics`.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmanalyticsusage
   */
  usage(query?: AnalyticsUsageQuery, options?: CallOptions): ApiPromise<MonthlyUsage> {
    return this.requester.call({ method: 'GET', path: '/api/v1/analytics/usage' }, { query }, options)
  }

  /**
   * Count the requests of the latest months, oldest month first.
   *
   * One object for each month, with zeros for a month without requests. The last one is the current month.
   *
   * `GET /api/v1/analytics/usage/history`. Needs the permission `read:analytics`.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmanalyticsusagehistory
   */
  usageHistory(query?: AnalyticsUsageHistoryQuery, options?: CallOptions): ApiPromise<UsageOfMonth[]> {
    return this.requester.call({ method: 'GET', path: '/api/v1/analytics/usage/history' }, { query }, options)
  }

  /**
   * Measure the response times and the error rate of a month.
   *
   * From the arrival of a request to its response. Streams and downloads are counted, but not timed. A 3xx response is neither a success nor a failure. The figures are at most 2 s old and are stored for 24 months.
   *
   * `GET /api/v1/analytics/metrics`. Needs the permission `read:analytics`.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmanalyticsmetrics
   */
  metrics(query?: AnalyticsMetricsQuery, options?: CallOptions): ApiPromise<PerformanceMetrics> {
    return this.requester.call({ method: 'GET', path: '/api/v1/analytics/metrics' }, { query }, options)
  }

  /**
   * Count how often each label is used, most frequent label first.
   *
   * Counts the labelled conversations that were created in the range, each once for each of its labels. Without parameters the range is the last 30 days. A user whose processing is restricted has no figures of their own.
   *
   * `GET /api/v1/analytics/tags`. Needs the permission `read:analytics`.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmanalyticstags
   */
  tags(query?: AnalyticsTagsQuery, options?: CallOptions): ApiPromise<TagCount[]> {
    return this.requester.call({ method: 'GET', path: '/api/v1/analytics/tags' }, { query }, options)
  }

  /**
   * Count conversations and measure first responses, by day, channel, hour of the week, agent, label or inbox.
   *
   * Counted as they are now: a change of the assignee or of the labels moves a conversation, a deletion subtracts it, and one that is opened again is not closed any more. The figures are at most 2 minutes old and are stored by hours of UTC for 24 months: a zone of half an hour is rounded. By agent, users whose processing is restricted are left out.
   *
   * `GET /api/v1/analytics/conversations`. Needs the permission `read:analytics`.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmanalyticsconversations
   */
  conversations(query?: AnalyticsConversationsQuery, options?: CallOptions): ApiPromise<ConversationFigures[]> {
    return this.requester.call({ method: 'GET', path: '/api/v1/analytics/conversations' }, { query }, options)
  }
}
