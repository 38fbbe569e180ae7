import { readFileSync } from 'node:fs'
import { type BlockList, isIP } from 'node:net'
import path from 'node:path'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import type { ConnectorSettings } from '../../ports/connector-http.ts'
import type { LimitSettings } from '../../ports/rate-limiter.ts'
import type { TwilioSettings } from '../../ports/telephony-provider.ts'
import {
  type AttachmentConfig,
  attachmentProblems,
  attachmentSecrets,
  attachmentSettings,
  attachmentVariables,
} from './attachment-variables.ts'
import { ConfigError } from './config-error.ts'
import {
  connectorProblems,
  connectorSecrets,
  connectorSettings,
  connectorVariables,
} from './connector-variables.ts'
import { generatedSecret, prepareDataDir, secretMinBytes, storedSecret } from './data-dir.ts'
import {
  type LedgerConfig,
  ledgerProblems,
  ledgerSecrets,
  ledgerSettings,
  ledgerVariables,
} from './ledger-variables.ts'
import { limitSettings, limitVariables } from './limit-variables.ts'
import { type MailConfig, mailProblems, mailSecrets, mailSettings, mailVariables } from './mail-variables.ts'
import { misspelledVariables } from './misspelled-names.ts'
import { proxyVariables } from './proxy-variables.ts'
import { isSplitAsMeant, passwordRule } from './split-address.ts'
import { twilioProblems, twilioSecrets, twilioSettings, twilioVariables } from './twilio-variables.ts'

/** The checked configuration of the service. This is the only file that reads the environment. */
export interface Config extends LedgerConfig, AttachmentConfig {
  port: number
  host: string
  /** Where the metrics of this process are served; undefined: nowhere. */
  metrics: MetricsAddress | undefined
  /** The address that clients use; undefined: made of host and port when the service listens. */
  baseUrl: string | undefined
  dataDir: string
  databaseUrl: string
  /** Undefined: the job queue and the limits live in this process. */
  redisUrl: string | undefined
  role: ServiceRole
  environment: 'staging' | 'production'
  /** Key rings: the first key is the current one, the others still open and verify. */
  jwtSecrets: readonly string[]
  secretsKeys: readonly string[]
  registration: 'open' | 'first' | 'off'
  /** Whether the first registration needs the token that the start prints: others than the operator may reach the service. */
  needsSetupToken: boolean
  /** How many proxies are in front, or their networks. */
  trustedProxies: number | BlockList
  /** Seconds that an idle connection stays open: longer than the load balancer in front keeps its own. */
  keepAliveSeconds: number
  /** So long a server that was asked to stop says so in its health and serves everything else. */
  drainSeconds: number
  /** Origins whose pages may read responses, besides the server's own. */
  corsOrigins: readonly string[]
  /** Whether the agents' console is served. */
  console: boolean
  /** Requests a minute, 0 for no limit; undefined: all switched off, except the limits of single keys. */
  rateLimits: LimitSettings | undefined
  /** Mails an hour of one sender to one inbox that are read at once; 0: any number. */
  mailsPerSender: number
  /** With less free space nothing of strangers is stored; undefined: the default. */
  diskFreeBytesMin: number | undefined
  logLevel: LogLevel
  dev: boolean
  webhookAllowCidrs: readonly string[]
  webhookAllowHttp: boolean
  /** Further trusted certificate authorities; trusted for allowed private destinations only. */
  webhookCaFile: string | undefined
  /** Undefined: no telephony provider is set up. */
  twilio: TwilioSettings | undefined
  /** How mail is sent and received. */
  mail: MailConfig
  /** The external CRMs that records may be imported from. */
  sources: ConnectorSettings
  /** Settings that are allowed and may surprise the operator, one sentence each. */
  warnings: readonly string[]
}

export interface MetricsAddress {
  host: string
  /** 0: any free port. */
  port: number
}

export const serviceRoles = ['all', 'api', 'worker'] as const
/** `api` serves requests, `worker` runs the background jobs, `all` does both. */
export type ServiceRole = (typeof serviceRoles)[number]

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

const keyRing = z.string().transform((text, ctx) => {
  const ring = text.split(',').map((secret) => secret.trim())
  if (ring.some((secret) => Buffer.byteLength(secret) < secretMinBytes)) {
    ctx.addIssue({
      code: 'custom',
      message: `must be at least ${secretMinBytes} bytes long (each one of a comma list)`,
    })
  }
  return ring
})

const cidrs = z.string().transform((text, ctx) => {
  const list = text
    .split(',')
    .map((cidr) => cidr.trim())
    .filter(Boolean)
  for (const cidr of list) {
    if (!ipaddr.isValidCIDR(cidr))
      ctx.addIssue({ code: 'custom', message: 'must be a comma list of CIDR blocks, such as 127.0.0.0/8' })
  }
  return list
})

export const databaseUrlPattern = /^(sqlite:.|mongodb(\+srv)?:\/\/.)/
export const databaseUrlRule = 'must be sqlite: and a path, or a mongodb:// address'

const origins = z.string().transform((text, ctx) => {
  const list = text.split(',').map((origin) => origin.trim())
  const isOrigin = (origin: string) => /^https?:/.test(origin) && URL.parse(origin)?.origin === origin
  if (!list.every(isOrigin)) {
    const message = 'must be a comma list of origins, such as https://app.example.com'
    ctx.addIssue({ code: 'custom', message })
  }
  return list
})

const portNumber = z
  .string()
  .regex(/^\d+$/, 'must be a port number, 0 to 65535')
  .transform(Number)
  .pipe(z.int().max(65_535, 'must be a port number, 0 to 65535'))

const hostAddress = z
  .string()
  .min(1)
  .refine((host) => isIP(host) > 0 || host === 'localhost', 'must be an IP address or localhost')
  .default('127.0.0.1')

const environmentSchema = z.object({
  PORT: portNumber.optional(),
  CRM_HOST: hostAddress,
  CRM_METRICS_PORT: portNumber.optional(),
  CRM_METRICS_HOST: hostAddress,
  CRM_BASE_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  CRM_DATA_DIR: z.string().min(1).default('./data'),
  CRM_DATABASE_URL: z
    .string()
    .regex(databaseUrlPattern, databaseUrlRule)
    .refine(isSplitAsMeant, passwordRule)
    .optional(),
  ...ledgerVariables,
  ...attachmentVariables,
  CRM_REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\/./, 'must be a redis:// or rediss:// address')
    .refine(isSplitAsMeant, passwordRule)
    .optional(),
  CRM_ROLE: z.enum(serviceRoles, 'must be all, api or worker').default('all'),
  CRM_ENVIRONMENT: z.enum(['staging', 'production'], 'must be staging or production').default('staging'),
  CRM_JWT_SECRET: keyRing.optional(),
  CRM_SECRETS_KEY: keyRing.optional(),
  CRM_REGISTRATION: z.enum(['open', 'first', 'off'], 'must be open, first or off').optional(),
  ...proxyVariables,
  CRM_KEEP_ALIVE_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number of seconds, 1 to 999')
    .transform(Number)
    .pipe(z.number().min(1, 'must be a number of seconds, 1 to 999'))
    .default(65),
  CRM_DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number of seconds, 0 to 999')
    .transform(Number)
    .default(0),
  CRM_CORS_ORIGINS: origins.optional(),
  CRM_CONSOLE: z.enum(['on', 'off'], 'must be on or off').default('on'),
  ...limitVariables,
  ...twilioVariables,
  ...connectorVariables,
  ...mailVariables,
  CRM_LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  CRM_WEBHOOK_CA_FILE: z.string().min(1).optional(),
  CRM_WEBHOOK_ALLOW_CIDRS: cidrs.optional(),
  CRM_WEBHOOK_ALLOW_HTTP: z.enum(['0', '1'], 'must be 0 or 1').optional(),
  CRM_WEBHOOK_UNSAFE: z.enum(['0', '1'], 'must be 0 or 1').optional(),
})
type Environment = z.output<typeof environmentSchema>
export type SettingName = keyof Environment
export const settingNames = Object.keys(environmentSchema.shape) as SettingName[]

/** Secrets may come from a file instead, so that they never stand in a process list. */
export const secretVariables: readonly SettingName[] = [
  'CRM_JWT_SECRET',
  'CRM_SECRETS_KEY',
  'CRM_DATABASE_URL',
  'CRM_REDIS_URL',
  ...ledgerSecrets,
  ...attachmentSecrets,
  ...twilioSecrets,
  ...connectorSecrets,
  ...mailSecrets,
]

export type Variables = Readonly<Record<string, string | undefined>>

/** The environment of this process. */
export function processVariables(): Variables {
  return process.env
}

export interface LoadOptions {
  dev: boolean
  /** Creates neither the data directory nor secrets in it; a secret that is missing is an empty key ring. */
  isReadOnly?: boolean
  /** Whether another app serves: it decides which address others use. */
  isEmbedded?: boolean
}

/** Reads and checks the configuration, and creates the data directory. Throws `ConfigError` with every problem. */
export function loadConfig(
  variables: Variables,
  { dev, isReadOnly = false, isEmbedded = false }: LoadOptions,
): Config {
  const problems: string[] = []
  const names = { all: settingNames, secret: secretVariables }
  const values = readValues(variables, names, problems)
  const parsed = environmentSchema.safeParse(values)
  if (!parsed.success) {
    for (const issue of parsed.error.issues) problems.push(`${issue.path.join('.')} ${issue.message}`)
    throw new ConfigError(problems)
  }
  problems.push(...rulesBroken(parsed.data, dev))
  if (problems.length > 0) throw new ConfigError(problems)
  const dataDir = path.resolve(parsed.data.CRM_DATA_DIR)
  if (!isReadOnly) prepareDataDir(dataDir)
  const secretOf = isReadOnly ? storedSecret : generatedSecret
  const isPublic = isEmbedded ? variables['NODE_ENV'] === 'production' : !isLoopback(parsed.data.CRM_HOST)
  const known = [...names.all, ...names.secret.map((name) => `${name}_FILE`)]
  const warnings = misspelledVariables(variables, known)
  const config = toConfig(parsed.data, { dev, dataDir, secretOf, isEmbedded })
  if (isPublic && config.registration === 'open' && config.role !== 'worker') warnings.push(openRegistration)
  return { ...config, warnings }
}

/** The variables that are set, the secret ones also from the files that `X_FILE` names. */
export function readValues(
  variables: Variables,
  names: { all: readonly string[]; secret: readonly string[] },
  problems: string[],
): Record<string, string> {
  const values: Record<string, string> = {}
  for (const name of names.all) {
    // An empty variable counts as unset: a template with a missing value leaves such a one behind.
    const value = variables[name]
    if (value !== undefined && value !== '') values[name] = value
  }
  for (const name of names.secret) {
    const file = variables[`${name}_FILE`]
    if (file === undefined || file === '') continue
    if (values[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set: use one`)
    try {
      values[name] = readFileSync(file, 'utf8').trim()
    } catch {
      problems.push(`${name}_FILE names a file that cannot be read`)
    }
  }
  return values
}

/** Returns the problems of variables that are valid by themselves but not together. */
function rulesBroken(values: Environment, dev: boolean): string[] {
  return [
    ...webhookProblems(values),
    ...roleProblems(values),
    ...secretProblems(values),
    ...devProblems(values, dev),
    ...metricsProblems(values),
    ...ledgerProblems(values),
    ...attachmentProblems(values),
    ...twilioProblems(values),
    ...connectorProblems(values),
    ...mailProblems(values),
  ]
}

function webhookProblems(values: Environment): string[] {
  const problems: string[] = []
  if (values.CRM_ENVIRONMENT !== 'production' || values.CRM_WEBHOOK_UNSAFE === '1') return problems
  if (values.CRM_WEBHOOK_ALLOW_CIDRS) problems.push('CRM_WEBHOOK_ALLOW_CIDRS is refused in production')
  if (values.CRM_WEBHOOK_ALLOW_HTTP === '1') problems.push('CRM_WEBHOOK_ALLOW_HTTP is refused in production')
  return problems
}

function usesMongo(values: Environment): boolean {
  return values.CRM_DATABASE_URL?.startsWith('mongodb') ?? false
}

function roleProblems(values: Environment): string[] {
  const problems: string[] = []
  // Processes that serve requests and processes that run jobs must share a database and a job queue.
  if (values.CRM_ROLE === 'all') return problems
  if (!usesMongo(values)) {
    problems.push(`CRM_DATABASE_URL must name a MongoDB when CRM_ROLE is ${values.CRM_ROLE}`)
  }
  if (!values.CRM_REDIS_URL) problems.push(`CRM_REDIS_URL is required when CRM_ROLE is ${values.CRM_ROLE}`)
  return problems
}

const howToMake = ': make one with "openssl rand -hex 32"'

const openRegistration =
  'Registration is open: everybody who reaches this server can make a tenant. CRM_REGISTRATION=first allows the first one alone, and off none'

function secretProblems(values: Environment): string[] {
  const problems: string[] = []
  for (const name of ['CRM_JWT_SECRET', 'CRM_SECRETS_KEY'] as const) {
    if (values[name]) continue
    if (values.CRM_ENVIRONMENT === 'production')
      problems.push(`${name} is required in production${howToMake}`)
    // Other processes may serve the same data: with secrets of one machine they could not.
    else if (usesMongo(values)) problems.push(`${name} is required with MongoDB${howToMake}`)
  }
  return problems
}

function metricsProblems({ CRM_METRICS_PORT: port, ...values }: Environment): string[] {
  if (port === undefined || port === 0 || port !== (values.PORT ?? 3000)) return []
  return ['CRM_METRICS_PORT must differ from PORT: the metrics have a listener of their own']
}

function devProblems(values: Environment, dev: boolean): string[] {
  const problems: string[] = []
  if (!dev) return problems
  if (values.CRM_ENVIRONMENT === 'production') {
    problems.push('--dev is refused when CRM_ENVIRONMENT is production')
  }
  if (!isLoopback(values.CRM_HOST)) problems.push('--dev is refused unless CRM_HOST is a loopback address')
  return problems
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) > 0 && ipaddr.process(host).range() === 'loopback')
}

/**
 * Whether others than the operator may reach the service: behind a proxy it listens on a loopback address. The process of another
 * program prints nothing: that program decides who reaches it, and has `createTenant`.
 */
function firstNeedsToken(
  { CRM_REGISTRATION, CRM_HOST, CRM_TRUST_PROXY, CRM_BASE_URL }: Environment,
  isEmbedded: boolean,
): boolean {
  if (CRM_REGISTRATION !== 'first' || isEmbedded) return false
  const ownHost = URL.parse(CRM_BASE_URL ?? '')?.hostname.replace(/^\[|\]$/g, '')
  return !isLoopback(CRM_HOST) || CRM_TRUST_PROXY !== 0 || (ownHost !== undefined && !isLoopback(ownHost))
}

interface ConfigParts {
  dev: boolean
  isEmbedded: boolean
  dataDir: string
  /** Returns the key ring of a secret that no variable sets. */
  secretOf: (dataDir: string, name: string) => string[]
}

function toConfig(
  values: Environment,
  { dev, dataDir, secretOf, isEmbedded }: ConfigParts,
): Omit<Config, 'warnings'> {
  const databaseUrl = values.CRM_DATABASE_URL ?? `sqlite:${path.join(dataDir, 'crm.sqlite')}`
  return {
    // A worker serves nothing but its health: several workers on one machine must not use the same port.
    port: values.PORT ?? (values.CRM_ROLE === 'worker' ? 0 : 3000),
    host: values.CRM_HOST,
    metrics:
      values.CRM_METRICS_PORT === undefined
        ? undefined
        : { host: values.CRM_METRICS_HOST, port: values.CRM_METRICS_PORT },
    // bounded: a setting of the operator.
    baseUrl: values.CRM_BASE_URL?.replace(/\/+$/, ''),
    dataDir,
    databaseUrl,
    ...ledgerSettings(values, databaseUrl),
    ...attachmentSettings(values),
    redisUrl: values.CRM_REDIS_URL,
    role: values.CRM_ROLE,
    environment: values.CRM_ENVIRONMENT,
    jwtSecrets: values.CRM_JWT_SECRET ?? secretOf(dataDir, 'jwt-secret'),
    secretsKeys: values.CRM_SECRETS_KEY ?? secretOf(dataDir, 'secrets-key'),
    registration: values.CRM_REGISTRATION ?? (values.CRM_ENVIRONMENT === 'production' ? 'off' : 'open'),
    needsSetupToken: firstNeedsToken(values, isEmbedded),
    trustedProxies: values.CRM_TRUST_PROXY,
    keepAliveSeconds: values.CRM_KEEP_ALIVE_SECONDS,
    drainSeconds: values.CRM_DRAIN_SECONDS,
    corsOrigins: values.CRM_CORS_ORIGINS ?? [],
    console: values.CRM_CONSOLE === 'on',
    rateLimits: limitSettings(values),
    mailsPerSender: values.CRM_LIMIT_MAILS_PER_SENDER,
    diskFreeBytesMin:
      values.CRM_DISK_FREE_MB === undefined ? undefined : values.CRM_DISK_FREE_MB * 1024 * 1024,
    logLevel: values.CRM_LOG_LEVEL,
    twilio: twilioSettings(values),
    sources: connectorSettings(values),
    mail: mailSettings(values, { dev, dataDir, baseUrl: values.CRM_BASE_URL }),
    dev,
    webhookAllowCidrs: [
      ...(values.CRM_WEBHOOK_ALLOW_CIDRS ?? []),
      ...(dev ? ['127.0.0.0/8', '::1/128'] : []),
    ],
    webhookAllowHttp: values.CRM_WEBHOOK_ALLOW_HTTP === '1',
    webhookCaFile: values.CRM_WEBHOOK_CA_FILE ?? (dev ? path.join(dataDir, 'webhook-ca.pem') : undefined),
  }
}
