import { setTimeout as delay } from 'node:timers/promises'
import { Client } from './client.ts'
import { type FaultRun, failuresOf, type RunReport } from './fault-run.ts'
import { keys } from './ledger.ts'

/** How long it took until a change was acknowledged, and until its event had arrived. */
export interface Resumption {
  acknowledgedMs: number
  deliveredMs: number
}

const patienceMs = 120_000
let probes = 0

/** Requests one change until it is acknowledged, and waits for its event: proof that work continues. */
export async function probe({ fleet, load, receivers }: FaultRun): Promise<Resumption> {
  const [tenant] = load.tenants
  const inbox = receivers.inboxes().find(({ setting }) => setting.name === `${tenant?.name}-all`)
  if (tenant === undefined || inbox === undefined) throw new Error('The run has no load')
  const startedAt = performance.now()
  const passedMs = () => Math.round(performance.now() - startedAt)
  const client = new Client(tenant.key)
  const mark = `probe-${++probes}`
  const body = { firstName: 'Ada', lastName: mark, customFields: { step: 0 } }
  const asked = {
    method: 'POST',
    path: '/api/v1/customers',
    body,
    headers: { 'idempotency-key': mark },
  } as const
  let id: string | undefined
  while (id === undefined && passedMs() < patienceMs) {
    const outcome = await client.ask(await fleet.whenUp(), asked)
    if (outcome.kind === 'response' && outcome.status === 201) id = outcome.body.data._id as string
    else await delay(50)
  }
  client.close()
  if (id === undefined) throw new Error(`No change was acknowledged within ${patienceMs} ms`)
  const acknowledgedMs = passedMs()
  const missing = await inbox.waitFor([keys.customerCreated(id)], patienceMs)
  if (missing.length > 0) throw new Error(`An event did not arrive within ${patienceMs} ms`)
  return { acknowledgedMs, deliveredMs: passedMs() }
}

export interface OutageReport extends RunReport {
  /** For each fault, the time until work continued. */
  resumptions: Record<string, Resumption[]>
  /** Processes that ended although the run did not end them. */
  exits: number
}

export function exitsOf({ fleet }: FaultRun): number {
  return fleet.members.reduce((sum, member) => sum + member.lives() - 1, 0)
}

/** The faults in the order of their rounds: each as often as requested. */
export function inRounds<Name extends string>(times: Readonly<Partial<Record<Name, number>>>): Name[] {
  const wanted = Object.entries(times) as [Name, number][]
  const rounds = Math.max(0, ...wanted.map(([, count]) => count))
  return Array.from({ length: rounds }, (_, round) =>
    wanted.filter(([, count]) => round < count).map(([name]) => name),
  ).flat()
}

/**
 * The time within which work must continue by itself. Most faults take well under 6 s; a request to a primary that
 * then hangs waits for 10 s, and a busy machine makes it several times as long.
 */
const resumeWithinMs = 60_000

/** Failures of an outage; empty when it has broken no guarantee. */
export function outageFailuresOf(report: OutageReport): string[] {
  const late = Object.entries(report.resumptions).flatMap(([fault, all]) =>
    all
      .filter(({ deliveredMs }) => deliveredMs > resumeWithinMs)
      .map((resumption) => `after "${fault}" work continued late: ${JSON.stringify(resumption)}`),
  )
  const ended = report.exits > 0 ? [`${report.exits} processes ended`] : []
  return [...failuresOf(report), ...late, ...ended]
}
