import { setTimeout as delay } from 'node:timers/promises'
import type { FaultPoint } from '../../../src/shared/fault-points.ts'
import { call } from '../../support/call.ts'
import { type Ending, passWithinMs, planEndings } from './crash-schedule.ts'
import { type FaultRun, failuresOf, type RunReport, startFaultRun } from './fault-run.ts'
import type { Member } from './fleet.ts'
import type { FaultPlan } from './preload/fault-plan.ts'
import { createRandom } from './random.ts'
import { sideCrashes } from './side-crashes.ts'
import { openLoadTenant, subscribe } from './tenant.ts'
import type { FaultWorld } from './worlds.ts'

export interface CrashSetting {
  newWorld: () => FaultWorld
  seed: number
  kills: number
  points: readonly FaultPoint[]
  onEnding?: (ending: Ending, isReached: boolean) => void
}

export interface CrashReport extends RunReport {
  /** The number of kills at each point, and of the waits for it without effect. */
  points: Record<string, { kills: number; missed: number }>
}

/** A world of its own costs as much time as several kills under the load. */
const killsPerSideCrash = 50

/** One world, one load, and this many killed servers; then the proof that nothing is lost. */
export async function runCrashes(setting: CrashSetting): Promise<CrashReport> {
  const { newWorld, seed, kills, points } = setting
  const tally = new Tally(setting.onEnding)
  const apart = await crashApart(setting, tally)
  const inLoad = points.filter((point) => !(point in sideCrashes))
  // The first life of a run makes the preparations, and is killed as well.
  const endings = planEndings({ kills: kills - tally.kills - 1, points: inLoad }, createRandom(seed))
  let plan: FaultPlan = {}
  const servers = [{ name: 'server', variables: {}, planFor: () => plan }]
  const run = await startFaultRun({ world: newWorld(), seed, servers })
  const [server] = run.fleet.members
  if (server === undefined) throw new Error('The run has no server')
  const crashes = new Crashes(run, server)
  plan = planOf(endings[0])
  await server.kill()
  for (const [index, ending] of endings.entries()) {
    plan = planOf(endings[index + 1])
    tally.note(ending, await crashes.end(ending))
  }
  const report = await run.finish({ crashes: endings.length + 1 })
  const contradictions = [...apart, ...report.contradictions]
  return { ...report, crashes: tally.kills + 1, contradictions, points: tally.points }
}

/** Kills in worlds of their own, for points that no running load passes; returns their findings. */
async function crashApart({ newWorld, seed, kills, points }: CrashSetting, tally: Tally): Promise<string[]> {
  const problems: string[] = []
  for (const point of points) {
    const crash = sideCrashes[point]
    const times = crash ? Math.max(1, Math.round(kills / killsPerSideCrash)) : 0
    for (let i = 1; i <= times; i++) {
      const report = await crash?.({ world: newWorld(), seed: seed + i })
      if (report) problems.push(...failuresOf(report))
      tally.note({ kind: 'point', point, passage: 1 }, report !== undefined && report.crashes > 0)
    }
  }
  return problems
}

class Tally {
  readonly points: CrashReport['points'] = {}
  kills = 0
  readonly #onEnding: CrashSetting['onEnding']
  constructor(onEnding: CrashSetting['onEnding']) {
    this.#onEnding = onEnding
  }

  note(ending: Ending, isReached: boolean): void {
    const name = ending.kind === 'point' ? ending.point : 'random'
    const before = this.points[name] ?? { kills: 0, missed: 0 }
    this.points[name] = { kills: before.kills + 1, missed: before.missed + (isReached ? 0 : 1) }
    this.kills += 1
    this.#onEnding?.(ending, isReached)
  }
}

function planOf(ending: Ending | undefined): FaultPlan {
  return ending?.kind === 'point' ? { crash: { point: ending.point, passage: ending.passage } } : {}
}

class Crashes {
  readonly #run: FaultRun
  readonly #server: Member
  #goneCount = 0

  constructor(run: FaultRun, server: Member) {
    this.#run = run
    this.#server = server
  }

  /** Ends the running life; false when its point was not passed in time. */
  async end(ending: Ending): Promise<boolean> {
    const death = this.#server.nextDeath()
    if (ending.kind === 'random') {
      await this.#server.whenUp()
      await delay(ending.afterMs)
      await this.#server.kill()
      return true
    }
    void this.#provoke(ending.point, death)
    const timer = new AbortController()
    const isLate = delay(passWithinMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const)
    const outcome = await Promise.race([death, isLate])
    timer.abort()
    if (outcome !== 'late') return outcome === 'SIGKILL'
    await this.#server.kill()
    return false
  }

  /** Does what the load alone does not do. */
  async #provoke(point: FaultPoint, death: Promise<unknown>): Promise<void> {
    if (point !== 'during-shutdown' && point !== 'before-gone') return
    const state = await Promise.race([this.#server.whenUp(), death.then(() => 'dead')])
    if (state === 'dead') return
    if (point === 'during-shutdown') this.#server.program()?.process.kill('SIGTERM')
    else await this.#openGoneWebhook().catch(() => undefined)
  }

  /** Creates a webhook in a tenant of its own whose receiver responds with 410, and an event for it. */
  async #openGoneWebhook(): Promise<void> {
    const { fleet, receivers } = this.#run
    const url = await fleet.whenUp()
    const tenant = await openLoadTenant(url)
    const name = `gone-${++this.#goneCount}`
    const events = ['customer.created']
    const { secret } = await subscribe(url, tenant, { url: receivers.urlOf(name), events })
    receivers.open({ name, tenant: name, secret, events, maxRetries: 3 }, ({ res }) =>
      res.writeHead(410).end(),
    )
    await call(url, {
      method: 'POST',
      path: '/api/v1/customers',
      token: tenant.key,
      body: { firstName: 'Ada' },
    })
  }
}
