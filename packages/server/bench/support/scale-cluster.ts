import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeCertificate } from '../../test/support/https-receiver.ts'
import { type MongoSet, startMongoSet } from '../../test/support/mongo-set.ts'
import { type RedisServer, startRedis } from '../../test/support/redis-server.ts'
import { type Child, startChild } from './child.ts'

const serverFile = new URL('../../src/main/crm-server.ts', import.meta.url).pathname
const receiverFile = new URL('./counting-receiver.ts', import.meta.url).pathname

/** The processes of one set-up, each of its own kind. */
export interface Cluster {
  apiUrls: string[]
  serverPids: number[]
  /** Of MongoDB and Redis; SQLite works inside the server. */
  databasePids: number[]
  receiverUrl: string
  /** Deliveries that have arrived so far. */
  received(): Promise<number>
  stop(): Promise<void>
}

interface Services {
  set: MongoSet
  redis: RedisServer
}

export interface Shape {
  api: number
  workers: number
}

/** Servers of the shape on MongoDB and Redis, or one on SQLite, and a receiver. */
export async function startCluster(shape: Shape | 'sqlite'): Promise<Cluster> {
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-bench-'))
  const certificate = await makeCertificate()
  const [keyFile, certFile] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
  writeFileSync(keyFile, certificate.key)
  writeFileSync(certFile, certificate.cert)
  const receiver = await startChild(receiverFile, [keyFile, certFile])
  const services = shape === 'sqlite' ? undefined : await startServices()
  const base = {
    PORT: '0',
    CRM_DATA_DIR: folder,
    CRM_LOG_LEVEL: 'error',
    CRM_RATE_LIMITS: 'off',
    CRM_WEBHOOK_CA_FILE: certificate.caFile,
    CRM_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    ...(services && sharedSettings(services)),
  }
  const servers: Child[] = []
  for (const role of rolesOf(shape)) {
    servers.push(await startChild(serverFile, ['start'], { ...base, CRM_ROLE: role }))
  }
  return {
    apiUrls: servers.slice(0, shape === 'sqlite' ? 1 : shape.api).map(({ url }) => url),
    serverPids: servers.map(({ process }) => process.pid as number),
    databasePids: services ? [...services.set.members, services.redis].map(({ pid }) => pid) : [],
    receiverUrl: `${receiver.url}/hook`,
    received: () => readNumber(receiver.url, certificate.cert),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()))
      await receiver.stop()
      await services?.redis.stop()
      await services?.set.stop()
      certificate.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function rolesOf(shape: Shape | 'sqlite'): string[] {
  if (shape === 'sqlite') return ['all']
  return [...Array<string>(shape.api).fill('api'), ...Array<string>(shape.workers).fill('worker')]
}

async function startServices(): Promise<Services> {
  return { set: await startMongoSet({ members: 1 }), redis: await startRedis() }
}

function sharedSettings({ set, redis }: Services) {
  return {
    CRM_DATABASE_URL: set.url,
    CRM_REDIS_URL: redis.url,
    CRM_JWT_SECRET: crypto.randomUUID(),
    CRM_SECRETS_KEY: crypto.randomUUID(),
  }
}

function readNumber(url: string, ca: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { ca }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.once('end', () => resolve(Number(text)))
    })
    asked.once('error', reject)
    asked.end()
  })
}
