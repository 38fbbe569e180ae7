import mongoose, { type Connection } from 'mongoose'
import { version } from '../../../shared/version.ts'
import { StorageUnavailable } from '../../../storage/errors.ts'

/** The database when the address names none. */
const databaseDefault = 'crmkit'
const selectionTimeoutMs = 5_000

const options: mongoose.ConnectOptions = {
  // The time to find a server; commands do not wait in a buffer meanwhile.
  serverSelectionTimeoutMS: selectionTimeoutMs,
  // A server that hangs is noticed within these two together; waiting requests then use another one.
  connectTimeoutMS: selectionTimeoutMs,
  heartbeatFrequencyMS: 2_000,
  waitQueueTimeoutMS: 10_000,
  bufferCommands: false,
  autoIndex: false,
  autoCreate: false,
  retryWrites: true,
  writeConcern: { w: 'majority' },
  // Data that a lost primary could roll back is never shown.
  readConcernLevel: 'majority',
  maxPoolSize: 50,
  // Processes until version 0.2.0 are recognised by their names (`earlier-processes.ts`); this one is no such name.
  appName: `crmkit/${version} process ${process.pid}`,
}

const howToMakeASet =
  'start it as a single-node replica set with `mongod --replSet rs0`, then run once: mongosh --eval "rs.initiate()"'

/** Connects to MongoDB. Errors do not repeat the address: it may hold a password. */
async function connect(url: string, own: mongoose.ConnectOptions): Promise<Connection> {
  const namesDatabase = /^mongodb(\+srv)?:\/\/[^/]+\/[^?]/.test(url)
  const connection = mongoose.createConnection(url, {
    ...options,
    ...(namesDatabase ? {} : { dbName: databaseDefault }),
    ...own,
  })
  connection.set('sanitizeFilter', true)
  connection.set('strictQuery', 'throw')
  try {
    return await connection.asPromise()
  } catch (error) {
    await connection.close()
    throw new StorageUnavailable(`MongoDB cannot be reached: ${(error as Error).message}`, { cause: error })
  }
}

interface Hello {
  /** The replica set of the server. */
  setName?: string
  /** `isdbgrid` of the router of a sharded cluster. */
  msg?: string
}

const routed = new WeakSet<Connection>()

/** Whether the connection leads to the router of a sharded cluster. */
export function isRouter(connection: Connection): boolean {
  return routed.has(connection)
}

/** Lets a connection behave as behind a router from now on. */
export function treatAsRouter(connection: Connection): void {
  routed.add(connection)
}

async function assertHasTransactions(connection: Connection): Promise<void> {
  const hello = (await connection.getClient().db('admin').command({ hello: 1 })) as Hello
  if (hello.msg === 'isdbgrid') treatAsRouter(connection)
  if (hello.setName !== undefined || isRouter(connection)) return
  throw new Error(
    `MongoDB runs as a standalone server, which has no transactions: ${howToMakeASet}. Its data stays.`,
  )
}

/**
 * Opens a new connection. Throws for a standalone server, with a message that says what to do. `own` wins over the settings
 * of the service: a test that pauses servers sets how long the driver waits for them.
 */
export async function openConnection(url: string, own: mongoose.ConnectOptions = {}): Promise<Connection> {
  const connection = await connect(url, own)
  try {
    await assertHasTransactions(connection)
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}
