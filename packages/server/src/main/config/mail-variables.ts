import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { isEmail } from '@crmkit/core'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import type { MailRelay, MailServer, MailSettings } from '../../ports/mail-sender.ts'

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
}

const domainPattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

export const mailVariables = {
  CRM_SMTP_URL: z
    .string()
    .refine((text) => relayServer(text) !== undefined, 'must be smtp:// or smtps:// with a host')
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
}
const schema = z.object(mailVariables)
type Values = z.output<typeof schema>

export const mailSecrets = ['CRM_SMTP_URL'] as const

/** Returns the problems of a half-made set-up. */
export function mailProblems(values: Values): string[] {
  const problems: string[] = []
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
