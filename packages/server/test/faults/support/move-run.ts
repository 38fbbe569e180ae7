import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PackageManifest } from '@crmkit/core/package'
import { type Emulator, startEmulator } from '../../../../../examples/zendesk-emulator/src/start-emulator.ts'
import type { Bundle } from '../../support/bundle-programs.ts'
import { cliProgram, runProgram } from '../../support/programs.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { checkMove, type Moved } from './move-check.ts'
import { type MoveTenant, openMoveTenant } from './move-tenant.ts'
import { createRandom, type Random } from './random.ts'
import type { FaultWorld } from './worlds.ts'

export interface MoveSetting {
  tickets: number
  /** At random moments, in turn: of the reader, of the server while it imports, and of the command that uploads the package. */
  kills: number
  seed: number
  world: FaultWorld
  /** Default: the bundle of the test runner, the sources outside of it. */
  files?: Bundle
  onStep?: (step: string) => void
}

export interface MoveReport {
  tickets: number
  kills: Record<Leg, number>
  seconds: Record<Leg | 'check', number>
  /** The most memory of a process of that leg, MiB. Empty where the machine does not say it. */
  memoryMiB: Partial<Record<Leg, number>>
  /** Numbers of records that were compared with the account. */
  checked: Moved['checked']
  failures: string[]
}

const legs = ['read', 'import', 'load'] as const
type Leg = (typeof legs)[number]

/** The least number of requests that a reader sends for each ticket of the emulator. */
const requestsPerTicket = 1.5

/**
 * Moves a support history from an emulator of Zendesk as a person does it: a reader, an upload, an import, each killed at
 * random moments and gone on with. Then compares every ticket of the account with what the API shows.
 */
export async function runMove({ world, files, ...setting }: MoveSetting): Promise<MoveReport> {
  const home = mkdtempSync(path.join(tmpdir(), 'crmkit-move-'))
  const zendesk = await startEmulator({ tickets: setting.tickets })
  const variables = { ...world.variables, CRM_RATE_LIMITS: 'off' }
  const fleet = await startFleet([{ name: 'server', variables, ...(files && { files }) }])
  let report: MoveReport | undefined
  try {
    const tenant = await openMoveTenant(await fleet.whenUp(), zendesk.email)
    const crm = files === undefined ? cliProgram : path.join(files.directory, 'crm.js')
    const parts = { ...setting, zendesk, fleet, tenant, crm, home, folder: path.join(home, 'package') }
    report = await new MoveRun(parts).run()
  } finally {
    await fleet.stop()
    await zendesk.close()
    report?.failures.push(...(await world.integrityProblems()))
    await world.remove()
    rmSync(home, { recursive: true, force: true })
  }
  return report
}

interface MoveParts extends Omit<MoveSetting, 'world' | 'files'> {
  zendesk: Emulator
  fleet: Fleet
  tenant: MoveTenant
  /** The program of the command line. */
  crm: string
  /** The home of its user. */
  home: string
  /** The folder of the package. */
  folder: string
}

class MoveRun {
  readonly #parts: MoveParts
  readonly #random: Random
  readonly #kills: Record<Leg, number> = { read: 0, import: 0, load: 0 }
  readonly #seconds: MoveReport['seconds'] = { read: 0, import: 0, load: 0, check: 0 }
  readonly #memoryMiB: MoveReport['memoryMiB'] = {}

  constructor(parts: MoveParts) {
    this.#parts = parts
    this.#random = createRandom(parts.seed)
  }

  async run(): Promise<MoveReport> {
    const { tickets, tenant, zendesk, folder } = this.#parts
    await this.#timed('read', () => this.#read())
    await this.#timed('load', () => this.#load())
    await this.#timed('import', () => this.#import())
    const moved = await this.#timed('check', () => checkMove({ tenant, account: zendesk.account }))
    const manifest = manifestOf(folder)
    const failures = [...manifestProblems(manifest), ...moved.failures]
    const [kills, seconds, memoryMiB] = [this.#kills, this.#seconds, this.#memoryMiB]
    return { tickets, kills, seconds, memoryMiB, checked: moved.checked, failures }
  }

  async #timed<T>(leg: Leg | 'check', work: () => Promise<T>): Promise<T> {
    this.#parts.onStep?.(leg)
    const startedMs = performance.now()
    const result = await work()
    this.#seconds[leg] = Math.round((performance.now() - startedMs) / 100) / 10
    return result
  }

  /** The moments of the kills of a leg, each a share of its work. */
  #momentsOf(leg: Leg): number[] {
    const place = legs.indexOf(leg)
    const count = Array.from({ length: this.#parts.kills }).filter((_, kill) => kill % legs.length === place)
    return count.map((_, index) => (index + this.#random.next()) / (count.length + 1))
  }

  async #read(): Promise<void> {
    const { zendesk, folder, tickets } = this.#parts
    const args = ['migrate', 'zendesk', folder, '--url', zendesk.url, '--email', zendesk.email]
    for (const moment of this.#momentsOf('read')) {
      const until = moment * requestsPerTicket * tickets
      await this.#killCli('read', args, async () => zendesk.log.length >= until)
    }
    await this.#endCli('read', args)
  }

  async #load(): Promise<void> {
    const { tenant, folder } = this.#parts
    const args = ['imports', 'load', tenant.integrationId, folder]
    const all = manifestOf(folder).counts['attachments']?.total ?? 0
    for (const moment of this.#momentsOf('load')) {
      const isTime = async () => {
        const { missing, accountId } = await tenant.ask('GET', `${tenant.path}/package`)
        return accountId !== null && missing.length <= (1 - moment) * all
      }
      await this.#killCli('load', args, isTime)
    }
    await this.#endCli('load', args)
  }

  async #import(): Promise<void> {
    const { tenant, fleet, folder } = this.#parts
    const total = Object.values(manifestOf(folder).counts).reduce((sum, one) => sum + one.total, 0)
    const inboxes = { [this.#parts.zendesk.account.ids.address]: tenant.inboxId }
    await tenant.ask('POST', `${tenant.path}/import`, { inboxes })
    const server = fleet.members[0]
    for (const moment of this.#momentsOf('import')) {
      while ((await tenant.readOfRun()) < moment * total) await delay(20)
      this.#measure('import', server?.program()?.process)
      await server?.kill()
      this.#kills.import += 1
      await fleet.whenUp()
    }
    while (!(await tenant.hasEnded())) await delay(100)
    this.#measure('import', server?.program()?.process)
  }

  async #endCli(leg: Leg, args: string[]): Promise<void> {
    const { code, stderr } = await this.#startCli(leg, args, () => undefined)
    if (code !== 0) throw new Error(`crm ${args.slice(0, 2).join(' ')} ended with ${code}: ${stderr}`)
  }

  /** Kills the command when it is time; throws when it has ended before. */
  async #killCli(leg: Leg, args: string[], isTime: () => Promise<boolean>): Promise<void> {
    let child: ChildProcess | undefined
    let hasEnded = false
    const watch = async () => {
      while (!hasEnded && !(await isTime())) await delay(5)
      child?.kill('SIGKILL')
    }
    const started = this.#startCli(leg, args, (own) => {
      child = own
    })
    const watched = watch()
    const { code, stderr } = await started
    hasEnded = true
    await watched
    if (child?.signalCode !== 'SIGKILL')
      throw new Error(`crm ${args.slice(0, 2).join(' ')} ended with ${code} before its kill: ${stderr}`)
    this.#kills[leg] += 1
  }

  async #startCli(leg: Leg, args: string[], onStart: (child: ChildProcess) => void) {
    const { zendesk, tenant, crm, home } = this.#parts
    const env = {
      HOME: home,
      CRM_KEYRING: 'off',
      CRM_BASE_URL: tenant.url,
      CRM_API_KEY: tenant.key,
      CRM_MIGRATE_TOKEN: zendesk.apiToken,
      CRM_CONNECTOR_HOSTS: zendesk.hosts,
    }
    let watch: NodeJS.Timeout | undefined
    try {
      return await runProgram(crm, args, {
        env,
        onStart: (child) => {
          watch = setInterval(() => this.#measure(leg, child), 100)
          onStart(child)
        },
      })
    } finally {
      clearInterval(watch)
    }
  }

  #measure(leg: Leg, child: ChildProcess | undefined): void {
    const most = peakMiBOf(child?.pid)
    if (most !== undefined) this.#memoryMiB[leg] = Math.max(most, this.#memoryMiB[leg] ?? 0)
  }
}

/** The most memory that a process had, MiB. Undefined where there is no /proc, and for a process that has ended. */
function peakMiBOf(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024)
  } catch {
    return undefined
  }
}

function manifestOf(folder: string): PackageManifest {
  return JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8'))
}

/** The account has no file that cannot be had, and nothing else that the reader may lose by chance. */
function manifestProblems({ leftOut = [], complete }: PackageManifest): string[] {
  const allowed = [
    'Deleted at the source',
    'A merged ticket names its target in words only',
    'The macro writes no text',
  ]
  return [
    ...(complete ? [] : ['The package is not complete']),
    ...leftOut
      .filter(({ reason }) => !allowed.includes(reason))
      .map(({ kind, count, reason }) => `The reader left out ${count} of ${kind}: ${reason}`),
  ]
}
