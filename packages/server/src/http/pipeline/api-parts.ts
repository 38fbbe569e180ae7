import type { AnyOperation } from '@crmkit/core'
import type { Logger } from 'pino'
import type { DiskSpace } from '../../ports/disk-space.ts'
import type { RequestLog } from '../../ports/log.ts'
import type { Meters } from '../../ports/meters.ts'
import type { WaitingCallers } from '../../shared/waiting-callers.ts'
import type { DownloadSlots } from '../backpressure/download-slots.ts'
import type { Authenticator } from '../credentials/authenticate.ts'
import type { Uploads } from '../request/uploads.ts'
import type { Cors } from '../response/cors.ts'
import type { OpenStreams } from '../streams/open-streams.ts'
import type { KeyUseRecorder } from '../usage/record-key-use.ts'
import type { UsageRecorder } from '../usage/record-monthly-usage.ts'
import type { RequestMetricsRecorder } from '../usage/record-request-metrics.ts'
import type { RequestLimits } from './rate-limit.ts'
import type { RunParts } from './run-handler.ts'

/** Everything that the request pipeline uses. */
export interface ApiParts extends RunParts {
  /** The operations that this process serves; every other path is unknown to it. */
  operations: readonly AnyOperation[]
  authenticator: Authenticator
  log: Logger
  requestLog: RequestLog
  meters: Pick<Meters, 'errorReplied'>
  trustProxyHops: number
  /** The origin of the address that clients use; undefined: the one that a request names. */
  ownOrigin: string | undefined
  /** The path of the address that clients use; undefined: the one under which an app has mounted the service. */
  basePath: string | undefined
  limits: RequestLimits
  keyUses: Pick<KeyUseRecorder, 'record'>
  usage: Pick<UsageRecorder, 'record'>
  metrics: Pick<RequestMetricsRecorder, 'record'>
  streams: OpenStreams
  downloads: DownloadSlots
  uploads: Uploads
  cors: Cors
  callers: WaitingCallers
  disk: Pick<DiskSpace, 'isFull' | 'noteFailure'>
}
