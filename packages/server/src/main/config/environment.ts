import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { attachmentSecrets, attachmentVariables } from './attachment-variables.ts'
import { connectorSecrets, connectorVariables } from './connector-variables.ts'
import { secretMinBytes } from './data-dir.ts'
import { ledgerSecrets, ledgerVariables } from './ledger-variables.ts'
import { limitVariables } from './limit-variables.ts'
import { mailSecrets, mailVariables } from './mail-variables.ts'
import { proxyVariables } from './proxy-variables.ts'
import { isSplitAsMeant, passwordRule } from './split-address.ts'
import { twilioSecrets, twilioVariables } from './twilio-variables.ts'

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

export const environmentSchema = z.object({
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
/** The variables after the checks of each by itself. */
export type Environment = z.output<typeof environmentSchema>
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
