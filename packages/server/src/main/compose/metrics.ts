import { inboundMailReasons, operations } from '@crmkit/core'
import { budgetNames } from '../../fairness/budgets.ts'
import { downloadHandlers, streamHandlers } from '../../features/handlers.ts'
import type { Authenticator } from '../../http/credentials/authenticate.ts'
import type { OpenStreams } from '../../http/streams/open-streams.ts'
import { countedAttachments } from '../../metrics/counted-attachments.ts'
import { type Metric, Reading, renderMetrics } from '../../metrics/metric.ts'
import { EventLoopDelay, processMetrics } from '../../metrics/process-metrics.ts'
import { ServiceMeters } from '../../metrics/service-meters.ts'
import { storageMetrics } from '../../metrics/storage-metrics.ts'
import { commit, version } from '../../shared/version.ts'
import { storedKinds } from '../../storage/kinds/derive.ts'
import { quotaRules } from '../../storage/kinds/quotas.ts'
import type { Config } from '../config/config.ts'
import { jobBacklogs, jobNames } from './job-registry.ts'
import type { Parts } from './parts.ts'

/** Responses that last as long as their clients. */
const untimedPaths: ReadonlySet<string> = new Set(
  operations.filter(({ id }) => id in streamHandlers || id in downloadHandlers).map(({ path }) => path),
)

/** Adds the meters to the parts, whose request log and storage report to them from now on. */
export function countRequests(parts: Parts): Parts & { meters: ServiceMeters } {
  const quotas = quotaRules.map(({ name }) => name)
  const meters = new ServiceMeters({
    untimedPaths,
    jobs: jobNames,
    quotas,
    budgets: budgetNames,
    kinds: storedKinds,
    mailReasons: inboundMailReasons,
  })
  const { requestLog, storage, attachments } = parts
  meters.observeCommits(storage)
  return {
    ...parts,
    meters,
    requestLog: meters.counting(requestLog),
    attachments: countedAttachments(attachments, meters),
  }
}

interface MeasuredParts extends Parts {
  schema: number
  meters: ServiceMeters
  authenticator: Authenticator
  streams: OpenStreams
}

export interface Metrics {
  /** Begins to measure the delay of the event loop, which costs a timer. */
  start(): void
  text(): Promise<string>
  stop(): void
}

/** Collects every metric of the process. Scrapes at the same time share one text. */
export function composeMetrics(config: Config, parts: MeasuredParts): Metrics {
  const delay = new EventLoopDelay()
  const fixed: readonly Metric[] = [
    buildInfo(config, parts.schema),
    ...parts.meters.metrics,
    ...readings(parts),
    delay.metric,
    ...processMetrics,
  ]
  let running: Promise<string> | undefined
  const collect = async () =>
    renderMetrics([...fixed, ...(await storageMetrics({ ...parts, backlogs: jobBacklogs }))])
  return {
    start: () => delay.start(),
    stop: () => delay.stop(),
    text() {
      delay.start()
      running ??= collect().finally(() => {
        running = undefined
      })
      return running
    },
  }
}

function buildInfo({ role, databaseUrl }: Config, schema: number): Metric {
  const labels = [
    version,
    String(schema),
    commit ?? '',
    process.versions.node,
    role,
    databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'mongodb',
  ]
  const declaration = {
    name: 'crm_build_info',
    help: 'The version of the service, its schema, its commit (none from the sources), the version of Node, the role of this process, and its database. Always 1.',
    labels: ['version', 'schema', 'commit', 'node', 'role', 'database'],
  }
  return new Reading(declaration, () => [[labels, 1]])
}

/** The values that other parts of the process hold anyway. */
function readings({ authenticator, streams, queue, disk }: MeasuredParts): Metric[] {
  return [
    new Reading(
      {
        name: 'crm_credential_cache_lookups_total',
        help: 'Look-ups of API keys and sessions; a miss reads the database.',
        labels: ['cache', 'result'],
        type: 'counter',
      },
      () =>
        Object.entries(authenticator.caches).flatMap(([cache, { hits, misses }]) => [
          [[cache, 'hit'], hits] as const,
          [[cache, 'miss'], misses] as const,
        ]),
    ),
    new Reading(
      { name: 'crm_event_streams', help: 'Open event streams of this process.' },
      () => streams.count,
    ),
    new Reading({ name: 'crm_job_queue_up', help: 'Whether wake-ups between processes work: 1, or 0.' }, () =>
      Number(queue.isHealthy()),
    ),
    new Reading(
      { name: 'crm_disk_full', help: 'Whether changes are refused because the disk is full: 1, or 0.' },
      () => Number(disk.isFull()),
    ),
    new Reading(
      { name: 'crm_disk_free_bytes', help: 'Free space of the disk of the database; only with SQLite.' },
      () => disk.freeBytes(),
    ),
  ]
}
