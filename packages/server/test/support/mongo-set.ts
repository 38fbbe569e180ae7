import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import mongoose from 'mongoose'
import { makeFastFolder } from './fast-folder.ts'
import { findLastingPort } from './free-port.ts'
import { pauseProcess } from './pause-process.ts'

/** One server of a replica set. It is started again when it ends by itself. */
export interface MongoMember {
  readonly port: number
  readonly pid: number
  /** SIGKILL. */
  kill(): Promise<void>
  /** Starts it again with the data that it had. */
  restart(): Promise<void>
  /** SIGSTOP: connections stay open, and no request gets a reply. */
  pause(): Promise<void>
  resume(): void
}

/** A replica set of processes of its own, which tests may damage. */
export interface MongoSet {
  readonly url: string
  readonly members: readonly MongoMember[]
  /** The member that takes writes, as soon as there is one. */
  primary(): Promise<MongoMember>
  secondaries(): Promise<MongoMember[]>
  /** Changes a parameter of every running member. */
  setParameter(parameter: Record<string, unknown>): Promise<void>
  /** Makes the primary step down for another one. */
  stepDown(): Promise<void>
  /** Makes this member the primary by an election at once, however long the others would wait for one. */
  elect(member: MongoMember): Promise<void>
  /** Resolves when every member is in the set again, so that it can replace the next one that fails. */
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
/** For what hangs: a busy machine has taken more than a minute. */
const patienceMs = 150_000

interface Node extends MongoMember {
  readonly dbpath: string
  /** Neither killed nor paused. */
  isResponding(): boolean
}

function program(): string {
  const file = process.env['MONGOMS_SYSTEM_BINARY']
  if (!file) throw new Error('MONGOMS_SYSTEM_BINARY names no mongod')
  return file
}

function logOf(dbpath: string): string {
  return `${dbpath}.log`
}

/** Returns its last warnings and errors. The end of the log would be the stack trace, which explains nothing. */
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
    '--wiredTigerCacheSizeGB',
    '0.25',
    '--setParameter',
    'diagnosticDataCollectionEnabled=false',
    // A killed process leaves a lock on its last write for this long.
    '--setParameter',
    'transactionLifetimeLimitSeconds=5',
  ]
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  return spawn(program(), [...args, ...small, '--nounixsocket'], { stdio: 'ignore' })
}

/** Runs a command on the server itself, whatever its role in the set. */
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

/** Polls until it is true: a server that starts, or elects, sends no notice. `explain` says more about a failure. */
async function until(
  what: string,
  isTrue: () => Promise<boolean>,
  explain: () => Promise<string> = async () => '',
): Promise<void> {
  const endsAt = Date.now() + patienceMs
  while (!(await isTrue().catch(() => false))) {
    if (Date.now() > endsAt) throw new Error(`${what}: not within ${patienceMs} ms${await explain()}`)
    await wait(50)
  }
}

/** Waits until the member is in the set; before that it cannot be elected. */
function joins(port: number, dbpath: string): Promise<void> {
  return until(
    `the member on port ${port} is in its set`,
    async () => {
      const hello = await ask(port, { hello: 1 })
      return hello['secondary'] === true || hello['isWritablePrimary'] === true
    },
    async () => {
      const status = await ask(port, { replSetGetStatus: 1 }).catch(String)
      return `; its status: ${JSON.stringify(status)}; its log:\n${complaintsOf(dbpath)}`
    },
  )
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
  let child: ChildProcess
  let isPaused = false
  // A test has ended it.
  let isEnded = false
  // One that ends while it starts is not started again.
  let hasServed = false
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const exitOf = () => child.signalCode ?? `exit code ${child.exitCode}`
  const listens = async () => {
    await until(
      `mongod on port ${port} listens`,
      async () => !isRunning() || Boolean(await ask(port, { ping: 1 })),
    )
    if (isRunning()) return
    throw new Error(`mongod on port ${port} ended while it started (${exitOf()}):\n${complaintsOf(dbpath)}`)
  }
  const start = async () => {
    hasServed = false
    child = launch(port, dbpath)
    child.once('exit', () => {
      if (hasServed && !isEnded) void startAgain()
    })
    await listens()
    hasServed = true
  }
  // As a service manager does. mongod ends itself when, for example, it does not get its locks in time to step down.
  const startAgain = async () => {
    process.stderr.write(`mongod on port ${port} ended by itself (${exitOf()}):\n${complaintsOf(dbpath)}\n`)
    await start().catch((error) => {
      // A test ends it also while it starts.
      if (!isEnded) process.stderr.write(`${error}\n`)
    })
  }
  // A test runner that is ended early must not leave it running.
  process.once('exit', () => child.kill('SIGKILL'))
  await start()
  return {
    port,
    dbpath,
    get pid() {
      return child.pid as number
    },
    isResponding: () => isRunning() && !isPaused,
    async kill() {
      isEnded = true
      if (!isRunning()) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
      isPaused = false
    },
    async restart() {
      isEnded = false
      await start()
      await joins(port, dbpath)
    },
    async pause() {
      isPaused = true
      await pauseProcess(child.pid as number)
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
  const directory = makeFastFolder('crmkit-mongo-')
  const nodes = await Promise.all(Array.from({ length: count }, () => startNode(directory)))
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`)
  const members = hosts.map((host, _id) => ({ _id, host }))
  const settings = { electionTimeoutMillis: electionTimeoutMs, heartbeatIntervalMillis: 500 }

  async function primary(): Promise<Node> {
    let found: Node | undefined
    await until('there is a primary', async () => {
      for (const node of nodes.filter((one) => one.isResponding())) {
        const hello = await ask(node.port, { hello: 1 }).catch(() => undefined)
        if (hello?.['isWritablePrimary']) found = node
      }
      return found !== undefined
    })
    return found as Node
  }
  // The tests examine the service, not mongod: a member that stays out is restarted once, and its state is printed.
  async function rejoin(node: Node): Promise<void> {
    try {
      await joins(node.port, node.dbpath)
    } catch (error) {
      process.stderr.write(`${error}\n`)
      await node.kill()
      await node.restart()
    }
  }
  async function elect({ port }: MongoMember): Promise<void> {
    await until(`the member on port ${port} is the primary`, async () => {
      const hello = await ask(port, { hello: 1 })
      if (hello['isWritablePrimary']) return true
      // Refused while it is not yet a secondary, or has not all changes yet.
      await ask(port, { replSetStepUp: 1 })
      return false
    })
  }
  const set: MongoSet = {
    url: `mongodb://${hosts.join(',')}/crmkit?replicaSet=${setName}`,
    members: nodes,
    primary,
    async secondaries() {
      const first = await primary()
      return nodes.filter((node) => node !== first && node.isResponding())
    },
    async setParameter(parameter) {
      for (const { port } of nodes) await ask(port, { setParameter: 1, ...parameter })
    },
    async stepDown() {
      const { port } = await primary()
      await ask(port, { replSetStepDown: stepDownSeconds, secondaryCatchUpPeriodSecs: stepDownSeconds - 1 })
    },
    elect,
    async settle() {
      await Promise.all(nodes.map(rejoin))
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.kill()))
      rmSync(directory, { recursive: true, force: true })
    },
  }
  try {
    const first = nodes[0] as Node
    await ask(first.port, { replSetInitiate: { _id: setName, members, settings } })
    await elect(first)
    await set.settle()
    await Promise.all(nodes.map(({ port }) => checkpoint(port)))
  } catch (error) {
    await set.stop()
    throw error
  }
  return set
}
