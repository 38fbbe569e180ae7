import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { attachmentProblems } from './attachment-variables.ts'
import { connectorProblems } from './connector-variables.ts'
import type { Environment } from './environment.ts'
import { ledgerProblems } from './ledger-variables.ts'
import { mailProblems } from './mail-variables.ts'
import { twilioProblems } from './twilio-variables.ts'

/** Returns the problems of variables that are valid by themselves but not together. */
export function rulesBroken(values: Environment, dev: boolean): string[] {
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

export function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIP(host) > 0 && ipaddr.process(host).range() === 'loopback')
}
