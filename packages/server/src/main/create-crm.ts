import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Crm as Client } from '@crmkit/sdk'
import type { Router } from 'express'
import { composeService, type Service } from './compose/service.ts'
import { type Config, loadConfig, processVariables, type Variables } from './config/config.ts'
import { ConfigError } from './config/config-error.ts'
import type { LogLevel, ServiceRole } from './config/environment.ts'
import { unknownOptions } from './config/misspelled-names.ts'
import { createHandler } from './create-app.ts'
import { type CrmLogger, logDestination } from './embedding/app-logger.ts'
import { type CreatedTenant, createTenant, type NewTenant } from './embedding/create-tenant.ts'
import { createInProcessFetch } from './embedding/in-process-fetch.ts'
import { type OnEvent, reportEvents } from './embedding/report-events.ts'

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
  /** How many proxies in front of the app are trusted to report the caller's address, or the networks that they are in. */
  trustProxyHops?: number | readonly string[]
  /** Origins whose pages may call the service from a browser, such as `https://app.example.com`. */
  corsOrigins?: readonly string[]
  /** `off` does not serve the agents' console. Default `on`, at `/console/` below the path of the router. */
  console?: 'on' | 'off'
  /** `off` switches the rate limits off, except the limits of single API keys. Default `on`. */
  rateLimits?: 'on' | 'off'
  /** Default `warn`: an embedded service does not log normal requests. */
  logLevel?: LogLevel
  /** Allows webhooks to this machine and trusts `webhook-ca.pem` of the data directory for them. Not in production. */
  dev?: boolean
  webhookAllowCidrs?: readonly string[]
  webhookCaFile?: string
  /**
   * The address at which clients reach the service, such as `https://shop.example.com/support`. URLs of attachments and
   * the reference begin with its path; without it they begin with the path under which the router is mounted.
   */
  baseUrl?: string
  /** Gets the lines of the service's log instead of stderr, redacted. `logLevel` still decides which. */
  logger?: CrmLogger
  /**
   * Called once for each event that this process commits, after its commit. It is not called again when it fails or the
   * process dies: use a webhook, or the event log, for work that must not be lost.
   */
  onEvent?: OnEvent
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
   * Returns an SDK client whose requests stay in this process and need no credential: the app vouches for the actor.
   * Without an actor it acts as an active owner of the tenant. No rate limit applies.
   */
  client(of: { tenantId: string; actor?: { userId: string } }): Client
  /** Creates a tenant with an invited owner, whatever `registration` says. */
  createTenant(tenant: NewTenant): Promise<CreatedTenant>
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
    return await createWith(loadOptions(options, temporaryDir), options, temporaryDir)
  } catch (error) {
    if (temporaryDir) rmSync(temporaryDir, { recursive: true, force: true })
    throw error
  }
}

function loadOptions(options: CrmOptions, temporaryDir: string | undefined): Config {
  const variables = { ...toVariables(options, temporaryDir), NODE_ENV: processVariables()['NODE_ENV'] }
  try {
    const config = loadConfig(variables, { dev: options.dev ?? false, isEmbedded: true })
    return { ...config, warnings: [...config.warnings, ...unknownOptions(options, optionNames)] }
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(error.problems.map(withOptionName)) : error
  }
}

/** Names the option in a problem of the variable that it sets. */
function withOptionName(problem: string): string {
  const [variable = ''] = problem.split(' ')
  const option = optionOf(variable)
  return option === undefined ? problem : problem.replace(variable, `${option} (${variable})`)
}

async function createWith(
  config: Config,
  { logger, onEvent }: CrmOptions,
  temporaryDir: string | undefined,
): Promise<Crm> {
  const service: Service = await composeService(config, logger && { logDestination: logDestination(logger) })
  if (onEvent) service.storage.onCommitted(reportEvents(onEvent, service.log))
  const handler = createHandler(service)
  const fetchFor = createInProcessFetch(handler)
  return {
    router: service.router,
    handler,
    client({ tenantId, actor }) {
      const fetch = fetchFor({ tenantId, userId: actor?.userId })
      return new Client({ baseUrl: inProcessAddress, fetch })
    },
    createTenant: (tenant) => createTenant(service, tenant),
    metrics: () => service.metrics(),
    start: () => service.start(),
    async stop() {
      await service.stop()
      if (temporaryDir) rmSync(temporaryDir, { recursive: true, force: true })
    },
  }
}

/** A name that no network resolves. */
const inProcessAddress = 'http://crmkit.invalid'

/** The option of each variable that an option sets. */
const optionsByVariable = {
  CRM_DATABASE_URL: 'databaseUrl',
  CRM_REDIS_URL: 'redisUrl',
  CRM_ROLE: 'role',
  CRM_DATA_DIR: 'dataDir',
  CRM_ENVIRONMENT: 'environment',
  CRM_JWT_SECRET: 'jwtSecret',
  CRM_SECRETS_KEY: 'secretsKey',
  CRM_REGISTRATION: 'registration',
  CRM_TRUST_PROXY: 'trustProxyHops',
  CRM_CORS_ORIGINS: 'corsOrigins',
  CRM_CONSOLE: 'console',
  CRM_RATE_LIMITS: 'rateLimits',
  CRM_LOG_LEVEL: 'logLevel',
  CRM_WEBHOOK_ALLOW_CIDRS: 'webhookAllowCidrs',
  CRM_WEBHOOK_CA_FILE: 'webhookCaFile',
  CRM_BASE_URL: 'baseUrl',
} as const satisfies Readonly<Record<string, keyof CrmOptions>>

const optionNames: readonly string[] = [
  ...Object.values(optionsByVariable),
  'temporary',
  'dev',
  'logger',
  'onEvent',
]

function optionOf(variable: string): string | undefined {
  return (optionsByVariable as Readonly<Record<string, string | undefined>>)[variable]
}

function toVariables(options: CrmOptions, temporaryDir: string | undefined): Variables {
  return {
    CRM_BASE_URL: options.baseUrl,
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
    CRM_CONSOLE: options.console,
    CRM_RATE_LIMITS: options.rateLimits,
    CRM_LOG_LEVEL: options.logLevel ?? 'warn',
    CRM_WEBHOOK_ALLOW_CIDRS: options.webhookAllowCidrs?.join(','),
    CRM_WEBHOOK_CA_FILE: options.webhookCaFile,
  }
}
