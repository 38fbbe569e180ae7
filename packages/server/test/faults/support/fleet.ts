import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { bundledProgram, type Program, serverProgram, startNodeProgram } from '../../support/programs.ts'
import { type FaultPlan, faultPlanVariable } from './preload/fault-plan.ts'

export const preload =
  bundledProgram('preload') ?? fileURLToPath(new URL('./preload/preload.ts', import.meta.url))

/** The files that a server process is started from, and what they need. */
export interface ServerFiles {
  program: string
  preload: string
  variables: Record<string, string>
}

const ownFiles: ServerFiles = { program: serverProgram, preload, variables: {} }

/** A server process of a run, which is restarted whenever it has died. */
export interface MemberSetting {
  name: string
  variables: Record<string, string>
  /** False for a process that no client may call, for example a worker. */
  takesRequests?: boolean
  /** Default: the bundle of the test runner, the sources outside of it. */
  files?: ServerFiles
  /** The faults of the process in its n-th life, from 1. */
  planFor?: (life: number) => FaultPlan
}

/** Server processes that share one storage, with addresses that outlive them. */
export interface Fleet {
  members: readonly Member[]
  /** Addresses of the processes that currently serve requests. */
  urls(): string[]
  /** Resolves with an address as soon as there is one, round-robin. Rejects when the fleet stops. */
  whenUp(): Promise<string>
  /** Returns the lines that the running processes have logged about a request. */
  logsOf(requestId: string): string[]
  /** Ends every process in order; returns their exit codes. */
  stop(): Promise<(number | null)[]>
}

export interface Member {
  name: string
  /** How often the process was started. */
  lives(): number
  /** Resolves when the running life, or the one that is starting, has ended; with its signal. */
  nextDeath(): Promise<NodeJS.Signals | null>
  /** Resolves when the process is ready for requests. */
  whenUp(): Promise<void>
  /** Null between two lives. */
  program(): Program | null
  /** Kills the process, also while it starts, and resolves at its death. */
  kill(signal?: NodeJS.Signals): Promise<void>
  stop(): Promise<number | null>
}

export async function startFleet(settings: readonly MemberSetting[]): Promise<Fleet> {
  const members = await Promise.all(settings.map(startMember))
  const serving = members.filter((_member, index) => settings[index]?.takesRequests !== false)
  const urls = () => serving.flatMap((member) => member.program()?.url ?? [])
  let picks = 0
  return {
    members,
    urls,
    async whenUp() {
      for (;;) {
        const up = urls()
        const url = up[picks++ % up.length]
        if (url !== undefined) return url
        await Promise.race(serving.map((member) => member.whenUp()))
      }
    },
    logsOf: (requestId) =>
      members.flatMap((member) =>
        (member.program()?.stderr().split('\n') ?? []).filter((line) => line.includes(requestId)),
      ),
    stop: () => Promise.all(members.map((member) => member.stop())),
  }
}

/** A port that was free a moment ago, for a server that must come back under the same address. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const failedStartsMax = 5

async function startMember({
  name,
  variables,
  files = ownFiles,
  planFor = () => ({}),
}: MemberSetting): Promise<Member> {
  const env = {
    CRM_LOG_LEVEL: 'error',
    ...files.variables,
    ...variables,
    PORT: variables['PORT'] ?? String(await freePort()),
  }
  let lives = 0
  let failedStarts = 0
  let running: Program | null = null
  let child: ChildProcess | undefined
  let isStopping = false
  let death = Promise.withResolvers<NodeJS.Signals | null>()
  let up = Promise.withResolvers<void>()

  async function live(): Promise<void> {
    lives += 1
    const faults = { [faultPlanVariable]: JSON.stringify(planFor(lives)) }
    const own = await spawnServer(files, { ...env, ...faults }, (spawned) => {
      child = spawned
      spawned.once('exit', (_code, signal) => end(signal))
    })
    if (own instanceof Error) {
      failedStarts += 1
      if (failedStarts >= failedStartsMax) up.reject(own)
    } else if (own !== null) {
      running = own
      failedStarts = 0
      up.resolve()
    }
  }

  function end(signal: NodeJS.Signals | null): void {
    // A caller that waits for a life which was killed during its start waits for the next one.
    if (running !== null) up = Promise.withResolvers()
    up.promise.catch(() => undefined)
    running = null
    const ended = death
    death = Promise.withResolvers()
    if (!isStopping && failedStarts < failedStartsMax) void live()
    ended.resolve(signal)
  }

  await live()
  return {
    name,
    lives: () => lives,
    nextDeath: () => death.promise,
    whenUp: () => up.promise,
    program: () => running,
    async kill(signal = 'SIGKILL') {
      const ended = death.promise
      child?.kill(signal)
      await ended
    },
    async stop() {
      await up.promise.catch(() => undefined)
      isStopping = true
      if (child === undefined || running === null) return null
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      return child.exitCode
    },
  }
}

/** The server when it is ready; null when it was killed before, as some plans want it. */
async function spawnServer(
  files: ServerFiles,
  env: Record<string, string>,
  onSpawn: (child: ChildProcess) => void,
): Promise<Program | Error | null> {
  let own: ChildProcess | undefined
  try {
    return await startNodeProgram({
      file: files.program,
      args: ['start'],
      env,
      nodeArgs: ['--import', files.preload],
      onSpawn: (child) => {
        own = child
        onSpawn(child)
      },
    })
  } catch (error) {
    return own?.signalCode === 'SIGKILL' ? null : (error as Error)
  }
}
