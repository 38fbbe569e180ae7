import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FaultPoint } from '../../../src/shared/fault-points.ts'
import { call } from '../../support/call.ts'
import { passWithinMs } from './crash-schedule.ts'
import { type FaultRun, type RunReport, startFaultRun } from './fault-run.ts'
import type { Member } from './fleet.ts'
import type { Inbox } from './inbox.ts'
import type { Load } from './load.ts'
import type { FaultPlan } from './preload/fault-plan.ts'
import { healthy } from './receivers.ts'
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
  'during-recover': crashDuringRecover,
}

const loadMs = 400
const beyondKeepMs = 31 * 86_400_000
/** The lease of a dead process on the sweep has ended by then. */
const beyondLeaseMs = 120_000

/** Crashes a server that creates its schema; the next one must find nothing half-done. */
async function crashDuringMigration({ world, seed }: SideCrash): Promise<RunReport> {
  const plans: FaultPlan[] = [{ crash: { point: 'during-migration', passage: 1 } }]
  const servers = [{ name: 'server', variables: {}, planFor: () => plans.shift() ?? {} }]
  const run = await startFaultRun({ world, seed, servers, load: { tenants: 1 } })
  await delay(loadMs)
  return run.finish({ crashes: (run.fleet.members[0]?.lives() ?? 1) - 1 })
}

interface Prepared {
  run: FaultRun
  server: Member
  tenant: Load['tenants'][number]
  /** The secret of a webhook whose receiver refuses everything until it is set to accept. */
  inbox: Inbox
  webhookId: string
  /** The events that the inbox still waits for, without those that an erasure has withdrawn. */
  waiting(): string[]
  setPlan(plan: FaultPlan): void
  takeFromNow(): void
}

/** A world with a short load that has ended and was delivered, except to one receiver. */
async function prepare({ world, seed }: SideCrash, first: FaultPlan, maxRetries: number): Promise<Prepared> {
  let plan = first
  const servers = [{ name: 'server', variables: {}, planFor: () => plan }]
  const run = await startFaultRun({ world, seed, servers, load: { tenants: 1 } })
  const { fleet, load, receivers } = run
  const [server] = fleet.members
  const [tenant] = load.tenants
  if (server === undefined || tenant === undefined) throw new Error('The run has no server or no tenant')
  let isTaking = false
  const late = { name: 'late', events: ['customer.created'] }
  const webhook = { events: late.events, retryPolicy: { maxRetries }, url: receivers.urlOf(late.name) }
  const { _id: webhookId, secret } = await subscribe(await fleet.whenUp(), tenant, webhook)
  const inbox = receivers.open({ ...late, tenant: 'nobody', secret, maxRetries }, (delivery) => {
    if (isTaking) healthy(delivery)
    else delivery.res.writeHead(503).end()
  })
  await delay(loadMs)
  await load.stop()
  await load.verify({ crashes: 0 })
  const isErased = (key: string) => {
    const { erasure = 'none' } = tenant.ledger.customers.get(key.replace('customer.created:', '')) ?? {}
    return erasure !== 'none'
  }
  return {
    run,
    server,
    tenant,
    inbox,
    webhookId,
    waiting: () => [...inbox.byKey.keys()].filter((key) => !isErased(key)),
    setPlan: (next) => {
      plan = next
    },
    takeFromNow: () => {
      isTaking = true
    },
  }
}

async function diesInTime(server: Member): Promise<boolean> {
  return (await Promise.race([server.nextDeath(), delay(passWithinMs, 'late' as const)])) === 'SIGKILL'
}

/**
 * Crashes a server that removes rows older than a month. Every resource must stay, and every event that a receiver
 * has not accepted yet, however old it is.
 */
async function crashDuringRetention(crash: SideCrash): Promise<RunReport> {
  const directory = mkdtempSync(path.join(tmpdir(), 'crmkit-clock-'))
  const clockFile = path.join(directory, 'ahead-ms')
  writeFileSync(clockFile, '0')
  const { run, server, inbox, waiting, setPlan, takeFromNow } = await prepare(crash, { clockFile }, 10)
  writeFileSync(clockFile, String(beyondKeepMs))
  setPlan({ clockFile, crash: { point: 'during-retention', passage: 1 } })
  await server.kill()
  setPlan({ clockFile })
  const isReached = await diesInTime(server)
  writeFileSync(clockFile, String(beyondKeepMs + beyondLeaseMs))
  takeFromNow()
  const lost = await inbox.waitFor(waiting(), passWithinMs)
  const report = await run.finish({ crashes: isReached ? 2 : 0 })
  rmSync(directory, { recursive: true, force: true })
  return { ...report, lostEvents: [...report.lostEvents, ...lost] }
}

/**
 * Crashes a server that replays failed deliveries: either all of them are made again, or none and the failure is
 * reported.
 */
async function crashDuringRecover(crash: SideCrash): Promise<RunReport> {
  const since = new Date(Date.now() - 60_000).toISOString()
  const { run, server, tenant, inbox, webhookId, waiting, setPlan, takeFromNow } = await prepare(crash, {}, 0)
  const { fleet } = run
  const recover = async () => {
    const path = `/api/v1/webhooks/${webhookId}/recover`
    return call(await fleet.whenUp(), { method: 'POST', path, token: tenant.key, body: { since } })
  }
  setPlan({ crash: { point: 'during-recover', passage: 1 } })
  await server.kill()
  setPlan({})
  await server.whenUp()
  const death = diesInTime(server)
  await recover().catch(() => undefined)
  const isReached = await death
  takeFromNow()
  await recover()
  const lost = await inbox.waitFor(waiting(), passWithinMs)
  const report = await run.finish({ crashes: isReached ? 2 : 0 })
  return { ...report, lostEvents: [...report.lostEvents, ...lost] }
}
