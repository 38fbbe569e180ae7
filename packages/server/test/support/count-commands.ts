import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type OperationId, operations } from '@crmkit/core'
import mongoose from 'mongoose'
import { composeService } from '../../src/main/compose/service.ts'
import { loadConfig } from '../../src/main/config/config.ts'
import { listen } from '../../src/main/listen.ts'
import { sampleEvent } from '../contracts/storage/samples.contract.ts'
import { goodRequest } from '../isolation/credentials.ts'
import { createSmallWorld } from '../isolation/world.ts'
import { call } from './call.ts'

/** A service whose commands to MongoDB are counted. */
export interface CountedService {
  /**
   * The commands of the operation in their order, such as `find customers` and `commitTransaction`. The operation runs
   * twice, in two tenants; the second run counts, when the caches of credentials and settings are filled.
   */
  commandsOf(id: OperationId): Promise<string[]>
  stop(): Promise<void>
}

/** Starts a service without background jobs, so that every command belongs to a request. */
export async function startCountedService(services: {
  databaseUrl: string
  redisUrl: string
}): Promise<CountedService> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'crmkit-commands-'))
  const config = loadConfig(
    {
      PORT: '0',
      CRM_DATA_DIR: dataDir,
      CRM_LOG_LEVEL: 'fatal',
      CRM_RATE_LIMITS: 'off',
      CRM_DATABASE_URL: reporting(services.databaseUrl),
      CRM_REDIS_URL: services.redisUrl,
      CRM_JWT_SECRET: 'the tests sign the tokens of sessions with this',
      CRM_SECRETS_KEY: 'the tests seal the secrets of webhooks with this',
    },
    { dev: true },
  )
  const service = await composeService(config)
  const { url, close } = await listen(service, config)
  let sent: string[] = []
  listenToCommands((command) => void sent.push(command))
  return {
    async commandsOf(id) {
      const operation = operations.find((one) => one.id === id)
      if (operation === undefined) throw new Error(`there is no operation ${id}`)
      for (let run = 1; run <= 2; run++) {
        const world = await createSmallWorld({ url, service })
        const request = goodRequest(operation, world)
        // Fills the caches of webhooks and of credentials.
        await service.storage.forTenant(world.tenantId).commit({ writes: [], events: [sampleEvent()] })
        if (request.token !== undefined) await call(url, { path: '/api/v1/customers', token: request.token })
        sent = []
        const response = await call(url, request)
        if (response.status !== operation.status) throw new Error(`${id}: ${JSON.stringify(response.body)}`)
      }
      return sent
    },
    async stop() {
      await close()
      await service.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Makes the driver report its commands. */
function reporting(url: string): string {
  const counted = new URL(url)
  counted.searchParams.set('monitorCommands', 'true')
  return counted.href
}

/** The process reports itself each five seconds, whatever is asked meanwhile. */
function isOwnReport(command: mongoose.mongo.BSON.Document): boolean {
  const row = String(command['updates']?.[0]?.q._id ?? command['filter']?._id)
  return row === 'schema' || row.startsWith('process:')
}

function listenToCommands(report: (command: string) => void): void {
  for (const connection of mongoose.connections) {
    if (connection.readyState !== mongoose.ConnectionStates.connected) continue
    connection.getClient().on('commandStarted', ({ commandName, command }) => {
      const collection: unknown = command[commandName]
      if (collection === 'serverState' && isOwnReport(command)) return
      report(typeof collection === 'string' ? `${commandName} ${collection}` : commandName)
    })
  }
}
