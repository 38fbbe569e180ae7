import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FaultPoint } from '../../../src/shared/fault-points.ts'
import { type RunReport, startFaultRun } from './fault-run.ts'
import type { FaultPlan } from './preload/fault-plan.ts'
import { subscribe } from './tenant.ts'
import type { FaultWorld } from './worlds.ts'

interface SideCrash {
  world: FaultWorld
  seed: number
}

/** Points that no running load passes, each with a run of its own; the report's `crashes` says whether it was passed. */
export const sideCrashes: Partial<Record<FaultPoint, (crash: SideCrash) => Promise<RunReport>>> = {
  'during-migration': crashDuringMigration,
  'during-retention': crashDuringRetention,
}

const loadMs = 400
const beyondKeepMs = 31 * 86_400_000
/** The lease of a dead process on the sweep is over by then. */
const beyondLeaseMs = 120_000
const sweepWithinMs = 15_000

/** A server that dies while it makes its schema; the next one must find nothing by halves. */
async function crashDuringMigration({ world, seed }: SideCrash): Promise<RunReport> {
  const plans: FaultPlan[] = [{ crash: { point: 'during-migration', passage: 1 } }]
  const servers = [{ name: 'server', variables: {}, planFor: () => plans.shift() ?? {} }]
  const run = await startFaultRun({ world, seed, servers, load: { tenants: 1 } })
  await delay(loadMs)
  return run.finish({ crashes: (run.fleet.members[0]?.lives() ?? 1) - 1 })
}

/**
 * A server that dies while it removes what is older than a month. What must stay: every resource, and whatever
 * a receiver has not taken yet, however old it is.
 */
async function crashDuringRetention({ world, seed }: SideCrash): Promise<RunReport> {
  const directory = mkdtempSync(path.join(tmpdir(), 'crmkit-clock-'))
  const clockFile = path.join(directory, 'ahead-ms')
  writeFileSync(clockFile, '0')
  let plan: FaultPlan = { clockFile }
  const servers = [{ name: 'server', variables: {}, planFor: () => plan }]
  const run = await startFaultRun({ world, seed, servers, load: { tenants: 1 } })
  const { fleet, load, receivers } = run
  const [server] = fleet.members
  const [tenant] = load.tenants
  if (server === undefined || tenant === undefined) throw new Error('The run has no server or no tenant')
  let isAway = true
  const late = { name: 'late', events: ['customer.created'], retryPolicy: { maxRetries: 10 } }
  const { secret } = await subscribe(await fleet.whenUp(), tenant, {
    ...late,
    url: receivers.urlOf(late.name),
  })
  const setting = { ...late, tenant: 'nobody', secret, maxRetries: 10 }
  const inbox = receivers.open(setting, ({ res, succeed }) => {
    if (isAway) return void res.writeHead(503).end()
    succeed()
    res.end()
  })
  await delay(loadMs)
  await load.stop()
  await load.verify({ crashes: 0 })
  writeFileSync(clockFile, String(beyondKeepMs))
  plan = { clockFile, crash: { point: 'during-retention', passage: 1 } }
  await server.kill()
  const death = server.nextDeath()
  plan = { clockFile }
  const isReached = (await Promise.race([death, delay(sweepWithinMs, 'late' as const)])) === 'SIGKILL'
  writeFileSync(clockFile, String(beyondKeepMs + beyondLeaseMs))
  isAway = false
  const erased = [...tenant.ledger.customers]
    .filter(([, { erasure }]) => erasure !== 'none')
    .map(([id]) => id)
  const waiting = [...inbox.byKey.keys()].filter(
    (key) => !erased.includes(key.replace('customer.created:', '')),
  )
  const lost = await inbox.waitFor(waiting, sweepWithinMs)
  const report = await run.finish({ crashes: isReached ? 2 : 0 })
  rmSync(directory, { recursive: true, force: true })
  return { ...report, lostEvents: [...report.lostEvents, ...lost] }
}
