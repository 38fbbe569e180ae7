import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Router } from 'express'
import { composeService, type Service } from './compose/service.ts'
import { type Config, type LogLevel, loadConfig, type ServiceRole, type Variables } from './config.ts'
import { createHandler } from './create-app.ts'

/** The options of an embedded service. An absent one has the default of the environment variable of the same name. */
export interface CrmOptions {
  /** `sqlite:` and a path, or a `mongodb://` address; without it a file in the data directory. */
  databaseUrl?: string
  /** `redis://`; with it and MongoDB, any number of processes share the work. */
  redisUrl?: string
  /** The role of this process: `api` serves requests, `worker` runs the background jobs, `all` both. Default `all`. */
  role?: ServiceRole
  /** The directory of data and generated secrets. Default `./data`. */
  dataDir?: string
  /** A data directory in the system's temporary folder, removed by `stop`. For tests. */
  temporary?: boolean
  environment?: 'staging' | 'production'
  /** At least 32 bytes each; a comma list is a key ring. Required in production and with MongoDB. */
  jwtSecret?: string
  secretsKey?: string
  registration?: 'open' | 'first' | 'off'
  /** How many proxies in front of the app are trusted to report the caller's address. */
  trustProxyHops?: number
  /** Origins whose pages may call the service from a browser, such as `https://app.example.com`. */
  corsOrigins?: readonly string[]
  /** `off` switches the rate limits off, except the limits of single API keys. Default `on`. */
  rateLimits?: 'on' | 'off'
  /** Default `warn`: an embedded service does not log normal requests. */
  logLevel?: LogLevel
  /** Allows webhooks to this machine and trusts `webhook-ca.pem` of the data directory for them. Not in production. */
  dev?: boolean
  webhookAllowCidrs?: readonly string[]
  webhookCaFile?: string
}

export interface Crm {
  /**
   * An Express router for `app.use(crm.router)` or `app.use('/support', crm.router)`, after the app's own middleware. It
   * passes paths that it does not know, and failures outside of its handling, to `next`. Serves before `start` too.
   */
  readonly router: Router
  /** A request listener for Node's own `createServer(crm.handler)`: unknown paths get the service's own 404. */
  readonly handler: RequestListener
  /**
   * Returns the metrics of the service in this process as the text that Prometheus reads, for a route of yours that
   * only your own monitoring can call. The delay of the event loop is measured from the first call on.
   */
  metrics(): Promise<string>
  /** Starts the background jobs: webhook deliveries, snoozes, retention. */
  start(): Promise<void>
  /** Finishes running work and closes the storage; the handler must not be called afterwards. */
  stop(): Promise<void>
}

/** Creates a service inside your own process. Throws `ConfigError` with every problem of the options. */
export async function createCrm(options: CrmOptions = {}): Promise<Crm> {
  const temporaryDir = options.temporary ? mkdtempSync(path.join(tmpdir(), 'crmkit-')) : undefined
  try {
    return await createWith(
      loadConfig(toVariables(options, temporaryDir), { dev: options.dev ?? false }),
      temporaryDir,
    )
  } catch (error) {
    if (temporaryDir) rmSync(temporaryDir, { recursive: true, force: true })
    throw error
  }
}

async function createWith(config: Config, temporaryDir: string | undefined): Promise<Crm> {
  const service: Service = await composeService(config)
  return {
    router: service.router,
    handler: createHandler(service),
    metrics: () => service.metrics(),
    start: () => service.start(),
    async stop() {
      await service.stop()
      if (temporaryDir) rmSync(temporaryDir, { recursive: true, force: true })
    },
  }
}

function toVariables(options: CrmOptions, temporaryDir: string | undefined): Variables {
  return {
    CRM_DATABASE_URL: options.databaseUrl,
    CRM_REDIS_URL: options.redisUrl,
    CRM_ROLE: options.role,
    CRM_DATA_DIR: options.dataDir ?? temporaryDir,
    CRM_ENVIRONMENT: options.environment,
    CRM_JWT_SECRET: options.jwtSecret,
    CRM_SECRETS_KEY: options.secretsKey,
    CRM_REGISTRATION: options.registration,
    CRM_TRUST_PROXY: options.trustProxyHops?.toString(),
    CRM_CORS_ORIGINS: options.corsOrigins?.join(','),
    CRM_RATE_LIMITS: options.rateLimits,
    CRM_LOG_LEVEL: options.logLevel ?? 'warn',
    CRM_WEBHOOK_ALLOW_CIDRS: options.webhookAllowCidrs?.join(','),
    CRM_WEBHOOK_CA_FILE: options.webhookCaFile,
  }
}
