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

/** Asks for one change until it is acknowledged, and waits for its event: proof that work goes on. */
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
    if (outcome.kind === 'answer' && outcome.status === 201) id = outcome.body.data._id as string
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
  /** Of each fault, how long work took to go on. */
  resumptions: Record<string, Resumption[]>
  /** Processes that ended although nobody ended them. */
  exits: number
}

export function exitsOf({ fleet }: FaultRun): number {
  return fleet.members.reduce((sum, member) => sum + member.lives() - 1, 0)
}

/** The faults in the order of their rounds: each as often as it is wanted. */
export function inRounds<Name extends string>(times: Readonly<Partial<Record<Name, number>>>): Name[] {
  const wanted = Object.entries(times) as [Name, number][]
  const rounds = Math.max(0, ...wanted.map(([, count]) => count))
  return Array.from({ length: rounds }, (_, round) =>
    wanted.filter(([, count]) => round < count).map(([name]) => name),
  ).flat()
}

/**
 * Work is to go on by itself within this time of the moment at which it can. Most faults take well under 6 s; a request
 * that was sent to a primary which then hangs waits for 10 s, and a busy machine makes it several times as long.
 */
const resumeWithinMs = 60_000

/** What must be empty for an outage to have broken no promise. */
export function outageFailuresOf(report: OutageReport): string[] {
  const late = Object.entries(report.resumptions).flatMap(([fault, all]) =>
    all
      .filter(({ deliveredMs }) => deliveredMs > resumeWithinMs)
      .map((resumption) => `after "${fault}" work went on late: ${JSON.stringify(resumption)}`),
  )
  const ended = report.exits > 0 ? [`${report.exits} processes ended`] : []
  return [...failuresOf(report), ...late, ...ended]
}
