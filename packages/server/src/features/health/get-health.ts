import { Failure, type getHealth, type getLiveness } from '@crmkit/core'
import { StorageUnavailable } from '../../storage/errors.ts'
import type { SystemHandler } from '../system-handler.ts'

export const handleGetHealth: SystemHandler<typeof getHealth> = async ({ system, services }) => {
  // Failing wake-ups delay jobs by a second at most; without storage no request can be served.
  const jobs = services.isQueueHealthy() ? 'ok' : 'failing'
  if (services.isStopping()) throw stopping(jobs)
  try {
    if (services.isDiskFull()) throw new StorageUnavailable('the disk is full')
    await system.ping()
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    throw new Failure('SERVICE_UNAVAILABLE', 'The storage cannot be read and written at present', {
      headers: { 'Retry-After': '1' },
      extra: { checks: { storage: 'failing', jobs } },
    })
  }
  const { version, schema, commit } = services
  const uptimeSeconds = services.uptimeSeconds()
  return {
    reply: {
      success: true,
      data: { status: 'ok', version, schema, commit, uptimeSeconds, checks: { storage: 'ok', jobs } },
    },
  }
}

/** A load balancer sends its requests elsewhere before the connections are refused. */
function stopping(jobs: 'ok' | 'failing'): Failure {
  return new Failure('SERVICE_UNAVAILABLE', 'The server is about to stop', {
    headers: { 'Retry-After': '1' },
    extra: { checks: { storage: 'ok', jobs } },
  })
}

export const handleGetLiveness: SystemHandler<typeof getLiveness> = async () => ({
  reply: { success: true, data: { status: 'ok' } },
})
