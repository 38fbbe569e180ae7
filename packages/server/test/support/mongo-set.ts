import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import mongoose from 'mongoose'
import { findLastingPort } from './free-port.ts'

/** One server of a replica set. */
export interface MongoMember {
  readonly port: number
  readonly pid: number
  /** SIGKILL. */
  kill(): Promise<void>
  /** Starts it again with the data that it had. */
  restart(): Promise<void>
  /** SIGSTOP: connections stay open and nobody answers. */
  pause(): void
  resume(): void
}

/** A replica set of processes of its own, which may be treated badly. */
export interface MongoSet {
  readonly url: string
  readonly members: readonly MongoMember[]
  /** The member that takes writes, as soon as there is one. */
  primary(): Promise<MongoMember>
  secondaries(): Promise<MongoMember[]>
  /** Changes a parameter of every running member. */
  setParameter(parameter: Record<string, unknown>): Promise<void>
  /** Makes the primary give its place to another one. */
  stepDown(): Promise<void>
  /** Resolves when every member has its place again, so that it can stand in for the next one that fails. */
  settle(): Promise<void>
  stop(): Promise<void>
}

interface MongoSetOptions {
  members?: number
  /** How long a primary may be silent before the others elect a new one. MongoDB's own default is 10 s. */
  electionTimeoutMs?: number
}

const setName = 'crmkit'
const stepDownSeconds = 10
const patienceMs = 60_000

interface Node extends MongoMember {
  /** Neither killed nor paused. */
  isAnswering(): boolean
}

function program(): string {
  const file = process.env['MONGOMS_SYSTEM_BINARY']
  if (!file) throw new Error('MONGOMS_SYSTEM_BINARY names no mongod')
  return file
}

function logOf(dbpath: string): string {
  return `${dbpath}.log`
}

/** Its last warnings and errors. The end of the log would be the stack trace, which says nothing. */
function complaintsOf(dbpath: string): string {
  const lines = readFileSync(logOf(dbpath), 'utf8').split('\n')
  const complaints = lines.filter((line) => /"s":"[FEW]"/.test(line) && !line.includes('"BACKTRACE"'))
  return complaints.slice(-10).join('\n')
}

function launch(port: number, dbpath: string): ChildProcess {
  const options = {
    port,
    dbpath,
    replSet: setName,
    bind_ip: '127.0.0.1',
    oplogSize: 64,
    logpath: logOf(dbpath),
  }
  const small = [
    ...['--wiredTigerCacheSizeGB', '0.25', '--setParameter', 'diagnosticDataCollectionEnabled=false'],
    // What a killed process was just writing is locked for so long.
    ...['--setParameter', 'transactionLifetimeLimitSeconds=5'],
  ]
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  return spawn(program(), [...args, ...small, '--nounixsocket'], { stdio: 'ignore' })
}

/** Runs a command on the server itself, whatever it is in its set. */
async function ask(
  port: number,
  command: Record<string, unknown>,
  database = 'admin',
): Promise<mongoose.mongo.BSON.Document> {
  const client = new mongoose.mongo.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
  })
  try {
    return await client.db(database).command(command)
  } finally {
    await client.close()
  }
}

/** Asks again until it is true: a server that starts, or elects, says so to nobody. */
async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const endsAt = Date.now() + patienceMs
  while (!(await isTrue().catch(() => false))) {
    if (Date.now() > endsAt) throw new Error(`${what}: not within ${patienceMs} ms`)
    await wait(50)
  }
}

/** Waits until it has its place in the set; before that it can be elected by nobody. */
function joins(port: number): Promise<void> {
  return until(`the member on port ${port} has a place in its set`, async () => {
    const hello = await ask(port, { hello: 1 })
    return hello['secondary'] === true || hello['isWritablePrimary'] === true
  })
}

/**
 * Makes a member fit to be killed. mongod 6.0 removes the buffer of its first synchronisation from the disk at once,
 * but from its catalogue with the next checkpoint, which may be a minute away: killed in between, it never starts
 * again (fatal assertion 28579). It refuses a checkpoint until that synchronisation is behind it.
 */
async function checkpoint(port: number): Promise<void> {
  const filter = { name: 'temp_oplog_buffer' }
  await until(`the member on port ${port} has a checkpoint after its first synchronisation`, async () => {
    const { cursor } = await ask(port, { listCollections: 1, filter }, 'local')
    if (cursor.firstBatch.length > 0) return false
    await ask(port, { fsync: 1 })
    return true
  })
}

async function startNode(directory: string): Promise<Node> {
  const port = await findLastingPort()
  const dbpath = path.join(directory, String(port))
  mkdirSync(dbpath)
  let child = launch(port, dbpath)
  let isPaused = false
  // A test runner that is ended early must not leave it behind.
  process.once('exit', () => child.kill('SIGKILL'))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const listens = async () => {
    await until(
      `mongod on port ${port} listens`,
      async () => !isRunning() || Boolean(await ask(port, { ping: 1 })),
    )
    if (isRunning()) return
    const how = child.signalCode ?? `exit code ${child.exitCode}`
    throw new Error(`mongod on port ${port} ended while it started (${how}):\n${complaintsOf(dbpath)}`)
  }
  await listens()
  return {
    port,
    get pid() {
      return child.pid as number
    },
    isAnswering: () => isRunning() && !isPaused,
    async kill() {
      if (!isRunning()) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
      isPaused = false
    },
    async restart() {
      child = launch(port, dbpath)
      await listens()
      await joins(port)
    },
    pause() {
      isPaused = true
      child.kill('SIGSTOP')
    },
    resume() {
      child.kill('SIGCONT')
      isPaused = false
    },
  }
}

/** Starts servers of the program that `MONGOMS_SYSTEM_BINARY` names, and makes a set of them. */
export async function startMongoSet(options: MongoSetOptions = {}): Promise<MongoSet> {
  const { members: count = 3, electionTimeoutMs = 10_000 } = options
  const directory = mkdtempSync(path.join(tmpdir(), 'crmkit-mongo-'))
  const nodes = await Promise.all(Array.from({ length: count }, () => startNode(directory)))
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`)
  const members = hosts.map((host, _id) => ({ _id, host }))
  const settings = { electionTimeoutMillis: electionTimeoutMs, heartbeatIntervalMillis: 500 }

  async function primary(): Promise<Node> {
    let found: Node | undefined
    await until('there is a primary', async () => {
      for (const node of nodes.filter((one) => one.isAnswering())) {
        const hello = await ask(node.port, { hello: 1 }).catch(() => undefined)
        if (hello?.['isWritablePrimary']) found = node
      }
      return found !== undefined
    })
    return found as Node
  }
  const set: MongoSet = {
    url: `mongodb://${hosts.join(',')}/crmkit?replicaSet=${setName}`,
    members: nodes,
    primary,
    async secondaries() {
      const first = await primary()
      return nodes.filter((node) => node !== first && node.isAnswering())
    },
    async setParameter(parameter) {
      for (const { port } of nodes) await ask(port, { setParameter: 1, ...parameter })
    },
    async stepDown() {
      const { port } = await primary()
      await ask(port, { replSetStepDown: stepDownSeconds, secondaryCatchUpPeriodSecs: stepDownSeconds - 1 })
    },
    async settle() {
      await Promise.all(nodes.map(({ port }) => joins(port)))
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.kill()))
      rmSync(directory, { recursive: true, force: true })
    },
  }
  try {
    await ask((nodes[0] as Node).port, { replSetInitiate: { _id: setName, members, settings } })
    await set.settle()
    await Promise.all(nodes.map(({ port }) => checkpoint(port)))
  } catch (error) {
    await set.stop()
    throw error
  }
  return set
}
