import type { DeliveryLog } from '@crmkit/sdk'
import type { Column, Tone } from '../../output/column.ts'
import { milliseconds } from '../../output/format-time.ts'

const tones: Readonly<Record<string, Tone>> = { success: 'good', failed: 'bad' }

export const logColumns: readonly Column<DeliveryLog>[] = [
  { title: 'Id', value: (log) => log._id },
  { title: 'Event', value: (log) => log.event, isFlexible: true },
  { title: 'Attempt', value: (log) => log.attempt, isOptional: true },
  { title: 'Status', value: (log) => log.status, tone: (log) => tones[log.status] },
  { title: 'Response', value: (log) => log.statusCode ?? log.errorCode },
  { title: 'Took', value: (log) => milliseconds(log.responseTime), isOptional: true },
  { title: 'Error', value: (log) => log.error, isFlexible: true, isOptional: true },
  // A pending row is a planned attempt.
  { title: 'When', value: (log) => log.deliveredAt ?? log.nextAttemptAt ?? log.createdAt, isTime: true },
]
