import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { PartOptions } from '../../src/main/compose/parts.ts'
import { composeService, type Service } from '../../src/main/compose/service.ts'
import { loadConfig, type Variables } from '../../src/main/config/config.ts'
import { listen } from '../../src/main/listen.ts'
import { listenForMail } from '../../src/main/listen-for-mail.ts'
import { listenForMetrics } from '../../src/main/listen-for-metrics.ts'
import { beforeReadsOfTheLog } from './call.ts'
import { migratedTestWorld } from './test-world.ts'

/** Redis may reply late on a busy machine, and a count that the process keeps instead is another one. */
const redisPatienceMs = 30_000

export interface RunningService {
  url: string
  /** Where `CRM_METRICS_PORT` is set. */
  metricsUrl: string | undefined
  /** Where `CRM_SMTP_PORT` is set. */
  smtpUrl: string | undefined
  dataDir: string
  /** Undefined: SQLite, in the data directory. */
  databaseUrl: string | undefined
  service: Service
  stop(): Promise<void>
}

interface StartOptions extends Pick<PartOptions, 'nameServers' | 'clock'> {
  /** False: a test runs the background jobs itself. */
  hasJobs?: boolean
}

/** The whole service in a world of its own and on a free port, with its background work; without rate limits. */
export async function startService(
  variables: Variables = {},
  // Nothing listens there: no test asks the name servers of the world.
  { nameServers = ['127.0.0.1:9'], clock, hasJobs = true }: StartOptions = {},
): Promise<RunningService> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-test-'))
  const world = migratedTestWorld()
  const config = loadConfig(
    {
      CRM_DATA_DIR: dataDir,
      PORT: '0',
      CRM_LOG_LEVEL: 'fatal',
      CRM_RATE_LIMITS: 'off',
      ...world.variables,
      ...variables,
    },
    { dev: variables['CRM_ENVIRONMENT'] !== 'production' },
  )
  const service = await composeService(config, { nameServers, redisPatienceMs, ...(clock && { clock }) })
  const listening = await listen(service, config)
  const mail = await listenForMail(service, config.mail.door)
  const metrics = config.metrics && (await listenForMetrics(service, config.metrics))
  if (hasJobs) await service.start()
  const endWaiting = beforeReadsOfTheLog(listening.url, () => untilPlaced(service))
  return {
    url: listening.url,
    metricsUrl: metrics?.url,
    smtpUrl: mail?.url,
    dataDir,
    databaseUrl: world.variables['CRM_DATABASE_URL'],
    service,
    async stop() {
      endWaiting()
      await listening.close()
      await mail?.close()
      await metrics?.close()
      await service.stop()
      await world.remove()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Waits until each event has its place in the log, or for ten seconds: jobs that a test has stopped place none. */
async function untilPlaced({ storage }: Service): Promise<void> {
  const endsAtMs = performance.now() + 10_000
  const waiting = async () => (await storage.system.backlog(1)).unsequencedEvents
  while ((await waiting()) > 0 && performance.now() < endsAtMs) await setTimeout(20)
}
