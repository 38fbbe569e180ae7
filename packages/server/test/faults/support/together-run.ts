import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openMongoStorage } from '../../../src/adapters/mongo/mongo-storage.ts'
import { openSqliteStorage } from '../../../src/adapters/sqlite/sqlite-storage.ts'
import { startMongoSet } from '../../support/mongo-set.ts'
import { runProgram, serverProgram } from '../../support/programs.ts'
import { startRedis } from '../../support/redis-server.ts'
import { type FaultRun, startFaultRun } from './fault-run.ts'
import { type MemberSetting, preload } from './fleet.ts'
import { mongoWorld } from './mongo-world.ts'
import { type OutageReport, probe } from './outages.ts'
import { type FaultPlan, faultPlanVariable } from './preload/fault-plan.ts'
import { createRandom, type Random } from './random.ts'
import { boundedDatabase } from './scarce-disk.ts'
import { type SideLoads, startSideLoads, telephonyVariables } from './side-loads.ts'
import type { FaultWorld } from './worlds.ts'

const hourMs = 3_600_000
const aheadHours = 3
/** The load works for so long before each fault. */
const loadMs = 1_200
const refusals = 5
const patienceMs = 60_000

export interface TogetherSetting {
  world: 'sqlite' | 'mongodb'
  seed: number
  /** How often each fault comes, in an order of its own in each round. */
  rounds: number
  /** Says what the run does now. */
  onStep?: (step: string) => void
}

export interface TogetherReport extends Omit<OutageReport, 'exits'> {
  /** The work that was acknowledged beside the load, by its kind. */
  work: Record<string, number>
  faults: Record<string, number>
  /** Faults that this machine cannot make. */
  leftOut: string[]
}

/** The services of a run, and the faults that they can have. */
interface Place {
  world: FaultWorld
  plan: FaultPlan
  servers: readonly Omit<MemberSetting, 'planFor'>[]
  /** A fault returns false where the machine cannot make it. */
  faults(run: FaultRun): Record<string, () => Promise<unknown>>
  /** The problems that `crm-server doctor` has to find at the end: the clock of the servers is ahead then. */
  truths: readonly RegExp[]
  openStorage(): ReturnType<typeof openSqliteStorage>
  close(): Promise<void>
}

/**
 * Every kind of work at the same time, while faults of every kind come one after the other: requests and deliveries, mails, imports,
 * exports, drafts with a time and calls. Nothing that was acknowledged is lost or done twice, and `crm-server doctor` says what is.
 */
export async function runTogether({
  world: name,
  seed,
  rounds,
  onStep = () => {},
}: TogetherSetting): Promise<TogetherReport> {
  const random = createRandom(seed)
  const directory = mkdtempSync(path.join(tmpdir(), 'crmkit-together-'))
  const clockFile = path.join(directory, 'ahead-ms')
  let aheadMs = 0
  const setClock = (hours: number) => {
    aheadMs = hours * hourMs
    writeFileSync(clockFile, String(aheadMs))
  }
  setClock(0)
  const place = name === 'sqlite' ? openSqlitePlace() : await openMongoPlace()
  const plan = { ...place.plan, clockFile }
  const variables = { ...telephonyVariables, CRM_LIMIT_MAILS_PER_SENDER: '0', CRM_DISK_FREE_MB: '1' }
  const servers = place.servers.map((server) => ({
    ...server,
    variables: { ...variables, ...server.variables },
    planFor: () => plan,
  }))
  try {
    const run = await startFaultRun({ world: place.world, seed, servers, load: { withSnoozes: false } })
    const side = await startSideLoads({
      fleet: run.fleet,
      aheadMs: () => aheadMs,
      giveNumber: (tenantId, number) => giveNumber(place, tenantId, number),
    })
    const faults = {
      ...place.faults(run),
      'clock ahead': async () => setClock(aheadHours),
      'clock behind': async () => setClock(-aheadHours),
    }
    const report = await endure(run, { faults, rounds, random: random.fork('faults'), onStep })
    // A busy machine does little of the slow work between the faults. An error that has ended some work is thrown by `stop`.
    await until(() => Object.values(side.counts()).every((count) => count > 1)).catch(() => undefined)
    // Work that was planned while the clock was ahead is due.
    setClock(aheadHours)
    onStep('everything settles')
    const problems = await settle(run, side)
    onStep('doctor')
    const doctor = await examine(place.world, plan)
    problems.push(...untruthsOf(doctor.problems, place.truths))
    const kills = Object.values(report.faults).reduce((sum, times) => sum + times, 0)
    onStep('verification')
    const finished = await run.finish({ crashes: kills })
    return {
      ...finished,
      ...report,
      work: side.counts(),
      contradictions: [...finished.contradictions, ...report.untruths, ...problems],
    }
  } finally {
    await place.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Enduring {
  faults: Record<string, () => Promise<unknown>>
  rounds: number
  random: Random
  onStep: NonNullable<TogetherSetting['onStep']>
}

async function endure(run: FaultRun, { faults, rounds, random, onStep }: Enduring) {
  const counts: Record<string, number> = {}
  const leftOut: string[] = []
  const untruths: string[] = []
  const resumptions: OutageReport['resumptions'] = {}
  for (let round = 0; round < rounds; round++) {
    for (const name of shuffled(Object.keys(faults), random)) {
      await delay(loadMs)
      onStep(name)
      const made = await faults[name]?.()
      if (made === false) {
        leftOut.push(name)
        continue
      }
      if (Array.isArray(made)) untruths.push(...made)
      counts[name] = (counts[name] ?? 0) + 1
      resumptions[name] = [...(resumptions[name] ?? []), await probe(run)]
    }
  }
  return { faults: counts, leftOut: [...new Set(leftOut)], untruths, resumptions }
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

async function settle(run: FaultRun, side: SideLoads): Promise<string[]> {
  await run.load.stop()
  await side.stop()
  return side.verify()
}

async function giveNumber(place: Place, tenantId: string, number: string): Promise<void> {
  const storage = await place.openStorage()
  try {
    const tenant = await storage.system.findTenant(tenantId)
    if (tenant === undefined) throw new Error('The tenant is not stored')
    const { _id: id, version: expectVersion } = tenant
    const set = { phoneNumbers: [number] }
    const write = { op: 'update', kind: 'tenants', id, expectVersion, set } as const
    await storage.system.commit(tenant.tenantId, { writes: [write], events: [] })
  } finally {
    await storage.close()
  }
}

/** Runs `crm-server doctor` beside the servers, with their clock. */
async function examine({ variables }: FaultWorld, plan: FaultPlan) {
  const env = {
    ...variables,
    [faultPlanVariable]: JSON.stringify(plan),
    NODE_OPTIONS: `--import ${preload}`,
  }
  const { stdout, stderr, code } = await runProgram(serverProgram, ['doctor', '--json', '--all'], { env })
  if (stdout === '') throw new Error(`doctor ended with ${code}: ${stderr}`)
  const { findings } = JSON.parse(stdout) as { findings: Line[] }
  const problems = findings.flatMap(({ outcome, sentence }) => (outcome === 'problem' ? [sentence] : []))
  return { problems }
}

/** Returns problems that there are not, and those that `doctor` should have found. */
function untruthsOf(problems: readonly string[], truths: readonly RegExp[]): string[] {
  const untrue = problems.filter((sentence) => !truths.some((truth) => truth.test(sentence)))
  return [
    ...untrue.map((sentence) => `doctor says what is not so: ${sentence}`),
    ...unsaidOf(problems, truths),
  ]
}

function unsaidOf(problems: readonly string[], truths: readonly RegExp[]): string[] {
  const unsaid = truths.filter((truth) => !problems.some((sentence) => truth.test(sentence)))
  return unsaid.map((truth) => `doctor does not say: ${truth.source}`)
}

interface Line {
  outcome: string
  sentence: string
}

function openSqlitePlace(): Place {
  const { world, plan, fill, free, remove } = boundedDatabase()
  const dataDir = world.variables['CRM_DATA_DIR'] ?? ''
  return {
    world,
    plan,
    servers: [{ name: 'server', variables: {} }],
    truths: [],
    openStorage: async () => openSqliteStorage({ path: path.join(dataDir, 'crm.sqlite') }),
    faults: ({ fleet, load }) => ({
      killed: async () => {
        await fleet.members[0]?.kill()
        await fleet.whenUp()
      },
      'disk full': async () => {
        const { refused } = load.counts()
        fill()
        await until(() => load.counts().refused >= refused + refusals)
        free()
      },
      'files read-only': async () => {
        const unlock = lockFolder(path.join(dataDir, 'attachments'))
        if (unlock === undefined) return false
        const { problems } = await examine(world, plan).finally(unlock)
        return unsaidOf(problems, [/cannot write into .*attachments/])
      },
    }),
    close: async () => remove(),
  }
}

async function openMongoPlace(): Promise<Place> {
  const set = await startMongoSet({ electionTimeoutMs: 1_000 })
  const redis = await startRedis()
  const world = mongoWorld({ url: set.url, redisUrl: redis.url })
  return {
    world,
    plan: {},
    servers: [
      { name: 'api', variables: { CRM_ROLE: 'api' } },
      { name: 'worker', variables: { CRM_ROLE: 'worker' }, takesRequests: false },
    ],
    truths: ['MongoDB', 'Redis'].map(
      // A busy machine reads both clocks some seconds apart.
      (service) => new RegExp(`clock of ${service} and .* differ by ${aheadHours * 360}\\d s`),
    ),
    openStorage: async () => openMongoStorage({ url: set.url }),
    faults: ({ fleet }) => ({
      ...Object.fromEntries(
        fleet.members.map((member) => [
          `${member.name} killed`,
          async () => {
            await member.kill()
            await member.whenUp()
          },
        ]),
      ),
      'Redis flushed': () => redis.flush(),
      'primary killed': async () => {
        const first = await set.primary()
        await first.kill()
        await set.primary()
        await first.restart()
        await set.settle()
      },
    }),
    close: async () => {
      await redis.stop()
      await set.stop()
    },
  }
}

/** Nobody can write into the folder until the returned function is called. Undefined where this takes rights that the run does not have. */
function lockFolder(folder: string): (() => void) | undefined {
  const run = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
  if (process.getuid?.() !== 0) {
    run('chmod', '-R', 'u-w', folder)
    return () => void run('chmod', '-R', 'u+w', folder)
  }
  // No mode of a file holds root.
  if (!run('mount', '--bind', folder, folder)) return undefined
  const unlock = () => void run('umount', '--lazy', folder)
  if (run('mount', '-o', 'remount,bind,ro', folder)) return unlock
  unlock()
  return undefined
}

async function until(isReached: () => boolean): Promise<void> {
  const endsAt = performance.now() + patienceMs
  while (!isReached()) {
    if (performance.now() > endsAt) throw new Error('The fault has no effect')
    await delay(20)
  }
}
