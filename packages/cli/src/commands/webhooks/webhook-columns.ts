import type { DeliveryLog, Webhook } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'
import { milliseconds } from '../../output/format-time.ts'

export const webhookColumns: readonly Column<Webhook>[] = [
  { title: 'Id', value: (webhook) => webhook._id },
  { title: 'Name', value: (webhook) => webhook.name, isFlexible: true },
  { title: 'URL', value: (webhook) => webhook.url, isFlexible: true },
  { title: 'Active', value: (webhook) => webhook.isActive },
  { title: 'Health', value: ({ health }) => health.state, isOptional: true },
  { title: 'Events', value: (webhook) => webhook.events, isFlexible: true, isOptional: true },
  {
    title: 'Retries',
    value: ({ retryPolicy }) => `${retryPolicy.maxRetries} (${retryPolicy.backoffStrategy})`,
    isDetail: true,
  },
  { title: 'Failures in a row', value: ({ health }) => health.consecutiveFailures, isDetail: true },
  { title: 'Last success', value: ({ health }) => health.lastSuccessAt, isTime: true, isDetail: true },
  { title: 'Last failure', value: ({ health }) => health.lastFailureAt, isTime: true, isDetail: true },
  { title: 'Disabled because', value: ({ health }) => health.disabledReason, isDetail: true },
  {
    title: 'Old secret until',
    value: (webhook) => webhook.previousSecretExpiresAt,
    isTime: true,
    isDetail: true,
  },
  { title: 'Created', value: (webhook) => webhook.createdAt, isTime: true, isOptional: true },
]

export const logColumns: readonly Column<DeliveryLog>[] = [
  { title: 'Id', value: (log) => log._id },
  { title: 'Event', value: (log) => log.event, isFlexible: true },
  { title: 'Attempt', value: (log) => log.attempt, isOptional: true },
  { title: 'Status', value: (log) => log.status },
  { title: 'Answer', value: (log) => log.statusCode ?? log.errorCode },
  { title: 'Took', value: (log) => milliseconds(log.responseTime), isOptional: true },
  { title: 'Error', value: (log) => log.error, isFlexible: true, isOptional: true },
  // A pending row is an attempt to come.
  { title: 'When', value: (log) => log.deliveredAt ?? log.nextAttemptAt ?? log.createdAt, isTime: true },
]
