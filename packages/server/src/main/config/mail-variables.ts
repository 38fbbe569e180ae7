import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { isEmail, snsTopicPattern } from '@crmkit/core'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import type { MailRelay, MailServer, MailSettings } from '../../ports/mail-sender.ts'
import type { MailSignInSettings } from '../../ports/mail-sign-in.ts'
import type { RelayEvents } from '../../ports/mail-topics.ts'
import { isSendgridKey } from '../../shared/sendgrid-key.ts'
import { isSplitAsMeant, passwordRule } from './split-address.ts'

/** The settings of e-mail, and where mail may go. */
export interface MailConfig extends MailSettings {
  /** Private addresses at which the servers of inboxes may be. */
  allowCidrs: readonly string[]
  /** Further trusted certificate authorities, for the relay and those private addresses only. */
  caFiles: readonly string[]
  /** Mail without a relay is kept in memory and shown to the developer. */
  isKept: boolean
  /** Undefined: no mail is received over SMTP. */
  door: SmtpAddress | undefined
  signIns: MailSignInSettings
  /** Undefined: no events of the relay are taken. */
  relayEvents: RelayEvents | undefined
  /** `host:port` that stands for the servers of Amazon SNS, and the authority that it is trusted by. */
  snsEmulator: { host: string; caFile: string | undefined } | undefined
}

const domainPattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

const emulatorPattern = /^(accounts|imap|smtp)=([a-z0-9.-]+:\d{1,5})$/
const credential = z.string().min(1).max(200).optional()

export const mailVariables = {
  CRM_SMTP_URL: z
    .string()
    .refine((text) => relayServer(text) !== undefined, 'must be smtp:// or smtps:// with a host')
    .refine(isSplitAsMeant, passwordRule)
    .optional(),
  CRM_MAIL_FROM: z.string().refine(isEmail, 'must be an e-mail address').optional(),
  CRM_MAIL_DOMAIN: z.string().regex(domainPattern, 'must be a domain such as mail.example.com').optional(),
  CRM_MAIL_ALLOW_CIDRS: z
    .string()
    .refine(
      (text) => cidrsOf(text).every((cidr) => ipaddr.isValidCIDR(cidr)),
      'must be a comma list of CIDR blocks, such as 10.0.0.0/8',
    )
    .optional(),
  CRM_MAIL_CA_FILE: z.string().min(1).optional(),
  CRM_SMTP_PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number, 0 to 65535')
    .transform(Number)
    .pipe(z.int().max(65_535, 'must be a port number, 0 to 65535'))
    .optional(),
  CRM_SMTP_HOST: z
    .string()
    .refine((host) => isIP(host) > 0 || host === 'localhost', 'must be an IP address or localhost')
    .default('127.0.0.1'),
  CRM_SMTP_TLS_CERT: z.string().min(1).optional(),
  CRM_SMTP_TLS_KEY: z.string().min(1).optional(),
  CRM_GOOGLE_CLIENT_ID: credential,
  CRM_GOOGLE_CLIENT_SECRET: credential,
  CRM_MICROSOFT_CLIENT_ID: credential,
  CRM_MICROSOFT_CLIENT_SECRET: credential,
  CRM_MICROSOFT_TENANT: z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,200}$/, 'must be an id or a domain of a directory, common or organizations')
    .default('common'),
  CRM_MAIL_OAUTH_HOSTS: z
    .string()
    .refine(
      (text) => text.split(',').every((part) => emulatorPattern.test(part.trim())),
      'must be a comma list such as accounts=127.0.0.1:4010,imap=127.0.0.1:4011,smtp=127.0.0.1:4012',
    )
    .optional(),
  CRM_MAIL_EVENTS_TOKEN: z
    .string()
    .regex(/^[A-Za-z0-9_-]{32,100}$/, 'must have 32 to 100 letters, digits, - or _')
    .optional(),
  CRM_MAIL_EVENTS_MAILGUN_KEY: credential,
  CRM_MAIL_EVENTS_SENDGRID_KEY: z
    .string()
    .refine(isSendgridKey, 'must be the public key that SendGrid shows, in base64')
    .optional(),
  CRM_MAIL_EVENTS_SES_TOPIC: z
    .string()
    .regex(snsTopicPattern, 'must be an ARN such as arn:aws:sns:eu-west-1:123456789012:mail')
    .optional(),
  CRM_MAIL_SNS_HOSTS: z
    .string()
    .regex(/^[a-z0-9.-]+:\d{1,5}$/, 'must be host:port, such as localhost:4013')
    .optional(),
}
const schema = z.object(mailVariables)
type Values = z.output<typeof schema>
type Together = Values & { CRM_ENVIRONMENT: string; CRM_CONNECTOR_UNSAFE?: string | undefined }

export const mailSecrets = [
  'CRM_SMTP_URL',
  'CRM_GOOGLE_CLIENT_SECRET',
  'CRM_MICROSOFT_CLIENT_SECRET',
  'CRM_MAIL_EVENTS_TOKEN',
  'CRM_MAIL_EVENTS_MAILGUN_KEY',
] as const

function refusedEmulators(values: Together): string[] {
  if (values.CRM_ENVIRONMENT !== 'production' || values.CRM_CONNECTOR_UNSAFE === '1') return []
  const given = (['CRM_MAIL_OAUTH_HOSTS', 'CRM_MAIL_SNS_HOSTS'] as const).filter((name) => values[name])
  return given.map((name) => `${name} is refused in production`)
}

/** Returns the problems of a half-made set-up. */
export function mailProblems(values: Together): string[] {
  const problems = refusedEmulators(values)
  if (values.CRM_MAIL_EVENTS_TOKEN === undefined && Object.values(eventKeys(values)).some(Boolean))
    problems.push('CRM_MAIL_EVENTS_TOKEN is required with a key or a topic for events')
  if (values.CRM_SMTP_URL !== undefined && values.CRM_MAIL_FROM === undefined)
    problems.push('CRM_MAIL_FROM is required with CRM_SMTP_URL')
  if (values.CRM_SMTP_PORT === undefined) return problems
  for (const name of ['CRM_MAIL_DOMAIN', 'CRM_SMTP_TLS_CERT', 'CRM_SMTP_TLS_KEY'] as const) {
    const value = values[name]
    if (value === undefined) problems.push(`${name} is required with CRM_SMTP_PORT`)
    else if (name !== 'CRM_MAIL_DOMAIN' && !isReadable(value))
      problems.push(`${name} must name a PEM file that can be read: ${value}`)
  }
  return problems
}

function isReadable(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').includes('-----BEGIN ')
  } catch {
    return false
  }
}

/** Where mail is received over SMTP. */
export interface SmtpAddress {
  host: string
  port: number
  domain: string
  tls: { cert: string; key: string }
}

function smtpAddress(values: Values): SmtpAddress | undefined {
  const { CRM_SMTP_PORT: port, CRM_SMTP_HOST: host, CRM_MAIL_DOMAIN: domain } = values
  const { CRM_SMTP_TLS_CERT: cert, CRM_SMTP_TLS_KEY: key } = values
  if (port === undefined || domain === undefined || cert === undefined || key === undefined) return undefined
  return {
    host,
    port,
    domain: domain.toLowerCase(),
    tls: { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') },
  }
}

const keptServer: MailServer = {
  host: 'development',
  port: 25,
  security: 'none',
  user: null,
  password: null,
  isOperators: true,
}

/** Returns the settings. A developer without a relay gets one that keeps the mail and sends nothing. */
export function mailSettings(
  values: Values,
  { dev, dataDir, baseUrl }: { dev: boolean; dataDir: string; baseUrl: string | undefined },
): MailConfig {
  const from = values.CRM_MAIL_FROM ?? 'support@crmkit.test'
  const server = values.CRM_SMTP_URL === undefined ? undefined : relayServer(values.CRM_SMTP_URL)
  const door = smtpAddress(values)
  const kept: MailRelay | undefined = dev ? { server: keptServer, from } : undefined
  return {
    relay: server === undefined ? kept : { server, from },
    domain: values.CRM_MAIL_DOMAIN,
    smtpDoor: door === undefined ? null : { domain: door.domain, host: publicHost(baseUrl) ?? door.domain },
    hasLinks: dev || baseUrl !== undefined,
    baseUrl,
    allowCidrs: [...cidrsOf(values.CRM_MAIL_ALLOW_CIDRS ?? ''), ...(dev ? ['127.0.0.0/8', '::1/128'] : [])],
    caFiles: [
      ...(values.CRM_MAIL_CA_FILE === undefined ? [] : [values.CRM_MAIL_CA_FILE]),
      ...(dev ? [path.join(dataDir, 'webhook-ca.pem')] : []),
    ],
    isKept: server === undefined && dev,
    door,
    signIns: signInSettings(values),
    relayEvents:
      values.CRM_MAIL_EVENTS_TOKEN === undefined
        ? undefined
        : { token: values.CRM_MAIL_EVENTS_TOKEN, keys: eventKeys(values) },
    snsEmulator:
      values.CRM_MAIL_SNS_HOSTS === undefined
        ? undefined
        : { host: values.CRM_MAIL_SNS_HOSTS, caFile: values.CRM_MAIL_CA_FILE },
  }
}

function eventKeys(values: Values): RelayEvents['keys'] {
  return {
    mailgun: values.CRM_MAIL_EVENTS_MAILGUN_KEY,
    sendgrid: values.CRM_MAIL_EVENTS_SENDGRID_KEY,
    sesTopicArn: values.CRM_MAIL_EVENTS_SES_TOPIC,
  }
}

function signInSettings(values: Values): MailSignInSettings {
  const named = (values.CRM_MAIL_OAUTH_HOSTS ?? '').split(',').flatMap((part) => {
    const [, server, place] = emulatorPattern.exec(part.trim()) ?? []
    return server === undefined || place === undefined ? [] : [[server, place]]
  })
  return {
    google: {
      clientId: values.CRM_GOOGLE_CLIENT_ID ?? null,
      clientSecret: values.CRM_GOOGLE_CLIENT_SECRET ?? null,
    },
    microsoft: {
      clientId: values.CRM_MICROSOFT_CLIENT_ID ?? null,
      clientSecret: values.CRM_MICROSOFT_CLIENT_SECRET ?? null,
      tenant: values.CRM_MICROSOFT_TENANT,
    },
    hosts: Object.fromEntries(named),
  }
}

/** The name that others find this machine by; undefined where it is not configured, or an address alone. */
function publicHost(baseUrl: string | undefined): string | undefined {
  const host = baseUrl === undefined ? undefined : new URL(baseUrl).hostname
  return host !== undefined && domainPattern.test(host) ? host : undefined
}

function cidrsOf(text: string): string[] {
  return text
    .split(',')
    .map((cidr) => cidr.trim())
    .filter(Boolean)
}

/** `smtps://` is TLS from the first byte; `smtp://` demands STARTTLS, except on this machine. */
function relayServer(text: string): MailServer | undefined {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isTls = url.protocol === 'smtps:'
  const user = url.username === '' ? null : decodeURIComponent(url.username)
  const isPlain = !isTls && isOwnMachine(host)
  return {
    host,
    port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
    security: isTls ? 'tls' : isPlain ? 'none' : 'starttls',
    user,
    password: user === null ? null : decodeURIComponent(url.password),
    isOperators: true,
  }
}

function isOwnMachine(host: string): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && ipaddr.process(host).range() === 'loopback')
}
