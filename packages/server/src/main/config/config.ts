import { readFileSync } from 'node:fs'
import type { BlockList } from 'node:net'
import path from 'node:path'
import type { ConnectorSettings } from '../../ports/connector-http.ts'
import type { LimitSettings } from '../../ports/rate-limiter.ts'
import type { TwilioSettings } from '../../ports/telephony-provider.ts'
import { type AttachmentConfig, attachmentSettings } from './attachment-variables.ts'
import { isLoopback, rulesBroken } from './broken-rules.ts'
import { ConfigError } from './config-error.ts'
import { connectorSettings } from './connector-variables.ts'
import { generatedSecret, prepareDataDir, storedSecret } from './data-dir.ts'
import {
  type Environment,
  environmentSchema,
  type LogLevel,
  type ServiceRole,
  secretVariables,
  settingNames,
} from './environment.ts'
import { type LedgerConfig, ledgerSettings } from './ledger-variables.ts'
import { limitSettings } from './limit-variables.ts'
import { type MailConfig, mailSettings } from './mail-variables.ts'
import { misspelledVariables } from './misspelled-names.ts'
import { twilioSettings } from './twilio-variables.ts'

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

const openRegistration =
  'Registration is open: everybody who reaches this server can make a tenant. CRM_REGISTRATION=first allows the first one alone, and off none'

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
