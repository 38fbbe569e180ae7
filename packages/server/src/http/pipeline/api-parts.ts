import type { AnyOperation } from '@crmkit/core'
import type { Logger } from 'pino'
import type { DiskSpace } from '../../ports/disk-space.ts'
import type { RequestLog } from '../../ports/log.ts'
import type { Meters } from '../../ports/meters.ts'
import type { WaitingCallers } from '../../shared/waiting-callers.ts'
import type { DatabaseUpgraded } from '../../storage/errors.ts'
import type { DownloadSlots } from '../backpressure/download-slots.ts'
import type { AccessParts } from '../credentials/access.ts'
import type { Uploads } from '../request/uploads.ts'
import type { OpenStreams } from '../streams/open-streams.ts'
import type { RequestRecorder } from '../usage/record-requests.ts'
import type { RunParts } from './run-handler.ts'

/** Everything that the request pipeline uses. */
export interface ApiParts extends RunParts, Omit<AccessParts, 'storage'> {
  /** The operations that this process serves; every other path is unknown to it. */
  operations: readonly AnyOperation[]
  log: Logger
  requestLog: RequestLog
  meters: Pick<Meters, 'errorReplied' | 'budgetRefused'>
  /** The path of the address that clients use; undefined: the one under which an app has mounted the service. */
  basePath: string | undefined
  requests: Pick<RequestRecorder, 'record'>
  streams: OpenStreams
  downloads: DownloadSlots
  uploads: Uploads
  callers: WaitingCallers
  disk: Pick<DiskSpace, 'isFull' | 'isLow' | 'noteFailure'>
  /** Defined once another process has upgraded the database beyond this version. */
  upgrade: { readonly found: DatabaseUpgraded | undefined }
}
