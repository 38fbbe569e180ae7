import type { getHealth } from '@crmkit/core'
import type { SystemHandler } from '../../handler.ts'

export const handleGetHealth: SystemHandler<typeof getHealth> = async ({ system, services }) => {
  // Rejects when storage fails, which is answered with 503.
  await system.ping()
  const jobs = services.isQueueHealthy() ? 'ok' : 'failing'
  const { version } = services
  return {
    reply: {
      success: true,
      data: {
        status: 'ok',
        version,
        uptimeSeconds: services.uptimeSeconds(),
        checks: { storage: 'ok', jobs },
      },
    },
  }
}
