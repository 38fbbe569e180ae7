import { isIP } from 'node:net'
import path from 'node:path'
import { isEmail } from '@crmkit/core'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import type { MailRelay, MailServer, MailSettings } from '../ports/mail-sender.ts'

/** The settings of e-mail, and where mail may go. */
export interface MailConfig extends MailSettings {
  /** Private addresses at which the servers of inboxes may be. */
  allowCidrs: readonly string[]
  /** Further trusted certificate authorities, for the relay and those private addresses only. */
  caFiles: readonly string[]
  /** Mail without a relay is kept in memory and shown to the developer. */
  isKept: boolean
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
}
const schema = z.object(mailVariables)
type Values = z.output<typeof schema>

export const mailSecrets = ['CRM_SMTP_URL'] as const

/** Returns the problems of a half-made set-up. */
export function mailProblems(values: Values): string[] {
  return values.CRM_SMTP_URL !== undefined && values.CRM_MAIL_FROM === undefined
    ? ['CRM_MAIL_FROM is required with CRM_SMTP_URL']
    : []
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
  const kept: MailRelay | undefined = dev ? { server: keptServer, from } : undefined
  return {
    relay: server === undefined ? kept : { server, from },
    domain: values.CRM_MAIL_DOMAIN,
    hasLinks: dev || baseUrl !== undefined,
    allowCidrs: [...cidrsOf(values.CRM_MAIL_ALLOW_CIDRS ?? ''), ...(dev ? ['127.0.0.0/8', '::1/128'] : [])],
    caFiles: [
      ...(values.CRM_MAIL_CA_FILE === undefined ? [] : [values.CRM_MAIL_CA_FILE]),
      ...(dev ? [path.join(dataDir, 'webhook-ca.pem')] : []),
    ],
    isKept: server === undefined && dev,
  }
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
