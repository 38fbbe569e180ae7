import { copyFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Call, type CallResponse, call } from '../../../test/support/call.ts'
import { startMongoSet } from '../../../test/support/mongo-set.ts'
import { runProgram } from '../../../test/support/programs.ts'
import { startRedis } from '../../../test/support/redis-server.ts'
import { type Child, startChild } from '../child.ts'
import { type CommandCounter, openCommandCounter } from '../command-counter.ts'
import { sourceOf, type Tree } from './tree.ts'

export type Database = 'sqlite' | 'mongodb'

/** How a service runs: with limits that are counted and never reached, without limits, or mounted in an Express app. */
export type Form = 'limited' | 'unlimited' | 'mounted'

/** A running service of one tree with a tenant. */
export interface Service {
  tree: Tree
  url: string
  pid: number
  owner: Owner
  dataDir: string
  /** Sends a request of the tenant's owner and returns the data of its response. Throws unless it succeeds. */
  ask(method: string, at: string, body?: unknown): Promise<CallResponse['body']>
  send(request: Call): Promise<CallResponse>
  /** Lifts a limit of the tenant, where the tree knows it. */
  liftLimit(name: string): Promise<void>
  /** Commands of its database so far; 0 where the database is the process itself. */
  commands(): Promise<number>
  stop(): Promise<void>
}

interface Owner {
  tenantId: string
  token: string
  email: string
  password: string
}

interface Settings {
  form: Form
  database: Database
  folder: string
  /** A PEM file that the service trusts. */
  caFile: string
}

export async function startService(tree: Tree, settings: Settings): Promise<Service> {
  const dataDir = path.join(settings.folder, settings.form)
  mkdirSync(dataDir)
  copyFileSync(settings.caFile, path.join(dataDir, 'webhook-ca.pem'))
  const backend = settings.database === 'mongodb' ? await openBackend() : undefined
  const child = await startForm(tree, { ...settings, dataDir, env: backend?.env ?? {} })
  const { url, process } = child
  const owner = { email: 'bench@example.com', password: crypto.randomUUID(), token: '', tenantId: '' }
  const send = (request: Call) => call(url, { token: owner.token, ...request })
  const ask = async (method: string, at: string, body?: unknown) => {
    const { status, body: reply } = await send({ method, path: at, ...(body !== undefined && { body }) })
    if (status >= 300) throw new Error(`${tree.name}: ${method} ${at}: ${JSON.stringify(reply)}`)
    return reply.data
  }
  const { email, password } = owner
  const registered = await call(url, {
    method: 'POST',
    path: '/api/auth/register',
    body: { tenantName: 'Bench', email, password },
  })
  owner.token = registered.body.data.accessToken
  owner.tenantId = registered.body.data.tenant._id
  const settingsOfCommands = { CRM_DATA_DIR: dataDir, ...backend?.env }
  return {
    tree,
    url,
    pid: process.pid ?? 0,
    owner,
    dataDir,
    ask,
    send,
    async liftLimit(name) {
      const program = sourceOf(tree, 'src/*/crm-server.ts')
      const args = ['tenants', 'set-limit', owner.tenantId, name, 'unlimited']
      const { code, stderr } = await runProgram(program, args, { env: settingsOfCommands })
      if (code !== 0 && !stderr.includes(name)) throw new Error(`${tree.name}: ${stderr}`)
      // A running server follows within 10 seconds.
      if (code === 0) await delay(10_000)
    },
    commands: async () => (await backend?.counter.count()) ?? 0,
    async stop() {
      await child.stop()
      await backend?.stop()
    },
  }
}

interface Started extends Settings {
  dataDir: string
  env: Record<string, string>
}

function startForm(tree: Tree, { form, dataDir, env }: Started): Promise<Child> {
  if (form === 'mounted') return startChild(sourceOf(tree, 'bench/support/embedded.ts'), [dataDir])
  const settings = {
    PORT: '0',
    CRM_DATA_DIR: dataDir,
    CRM_LOG_LEVEL: 'error',
    CRM_MAIL_DOMAIN: 'in.example.com',
    ...(form === 'unlimited' && { CRM_RATE_LIMITS: 'off' }),
    ...env,
  }
  return startChild(sourceOf(tree, 'src/*/crm-server.ts'), ['start', '--dev'], settings, tree.flags)
}

interface Backend {
  env: Record<string, string>
  counter: CommandCounter
  stop(): Promise<void>
}

async function openBackend(): Promise<Backend> {
  const [set, redis] = [await startMongoSet({ members: 1 }), await startRedis()]
  const counter = await openCommandCounter(set.url)
  return {
    env: {
      CRM_DATABASE_URL: set.url,
      CRM_REDIS_URL: redis.url,
      CRM_JWT_SECRET: crypto.randomUUID(),
      CRM_SECRETS_KEY: crypto.randomUUID(),
    },
    counter,
    async stop() {
      await counter.close()
      await redis.stop()
      await set.stop()
    },
  }
}
