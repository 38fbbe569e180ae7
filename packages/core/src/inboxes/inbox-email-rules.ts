import type { CrossFieldRule } from '../contract/define-operation.ts'
import { asciiDomain, foldEmail, splitEmail } from '../shared/fold.ts'
import { type InboxEmail, type InboxEmailBody, noEmailSettings } from './inbox-email.ts'
import { mailProviderServers } from './mail-providers.ts'

/** A signed address adds 44 characters to the local part, which holds 64 (RFC 5321). */
export const plusLocalPartMax = 20

type Problem = NonNullable<ReturnType<CrossFieldRule['check']>>

function problemOf(email: InboxEmailBody): Problem | undefined {
  const { address = null, transport, smtp, plusAddressing, autoReply } = email
  if ((transport ?? 'none') !== 'none' && address === null)
    return { field: 'email.address', message: 'is required for this transport', rule: 'required' }
  if (transport === 'smtp' && (smtp ?? null) === null)
    return { field: 'email.smtp', message: 'is required for the transport `smtp`', rule: 'required' }
  const unnamed = unnamedServerField(email)
  if (unnamed !== undefined)
    return { field: unnamed, message: 'is required for the auth `password`', rule: 'required' }
  if (plusAddressing === true && (address === null || address.indexOf('@') > plusLocalPartMax)) {
    const message = `must have at most ${plusLocalPartMax} characters before the @ for plus addressing`
    return { field: 'email.address', message, rule: 'plus_addressing' }
  }
  if (autoReply?.enabled === true && (autoReply.content ?? null) === null)
    return {
      field: 'email.autoReply.content',
      message: 'is required for automatic replies',
      rule: 'required',
    }
  return undefined
}

/** Returns the first field that a server with a password lacks. A mailbox needs a user, and a server that sends may not. */
function unnamedServerField({ imap, smtp }: InboxEmailBody): string | undefined {
  const lacking = (name: 'imap' | 'smtp', needed: readonly ('host' | 'port' | 'security' | 'user')[]) => {
    const given = name === 'imap' ? imap : smtp
    if (!given || given.auth === 'oauth') return undefined
    const field = needed.find((each) => (given[each] ?? null) === null)
    return field && `email.${name}.${field}`
  }
  return (
    lacking('imap', ['host', 'port', 'security', 'user']) ?? lacking('smtp', ['host', 'port', 'security'])
  )
}

/** Says what the e-mail settings of an inbox need together; they are replaced as a whole. */
export const emailSettingsAreComplete: CrossFieldRule = {
  description:
    'A transport other than `none` needs an address, `smtp` needs a server, a server with a password needs its host, port and security and a mailbox its user, plus addressing needs an address with at most 20 characters before the @, and an automatic reply needs a text.',
  check: ({ email }) =>
    typeof email === 'object' && email !== null ? problemOf(email as InboxEmailBody) : undefined,
}

/**
 * The e-mail settings after a PUT: replaced as a whole, except what the service itself keeps. A stored password is
 * valid for one server and one user alone, so that a changed host cannot collect it.
 */
export function updatedEmail(before: InboxEmail, given: InboxEmailBody | null): InboxEmail {
  const after = { ...before, ...plainSettings(given ?? {}) }
  const imap = imapOf(before, given?.imap ?? null)
  const smtp = smtpOf(before, given?.smtp ?? null)
  return {
    ...after,
    imap,
    smtp,
    hasSmtpPassword: before.hasSmtpPassword && smtp?.auth === 'password' && isSameServer(before.smtp, smtp),
    hasImapPassword: before.hasImapPassword && imap?.auth === 'password' && isSameServer(before.imap, imap),
    ...(domainOf(before.address) !== domainOf(after.address) && { dkim: null, domainProvenAt: null }),
  }
}

/** The settings that a PUT replaces and that depend on nothing stored. */
function plainSettings(given: InboxEmailBody) {
  const { address, displayName, signature, authservIds, replyToSenders, autoReply } = given
  return {
    address: address ?? null,
    displayName: displayName ?? null,
    plusAddressing: given.plusAddressing ?? false,
    authservIds: authservIds ?? [],
    replyToSenders: replyToSenders ?? [],
    signature: signature ?? null,
    sesTopicArn: given.sesTopicArn ?? null,
    sesConfigurationSet: given.sesConfigurationSet ?? null,
    transport: given.transport ?? noEmailSettings.transport,
    sendDelaySeconds: given.sendDelaySeconds ?? noEmailSettings.sendDelaySeconds,
    reopenDays: given.reopenDays ?? noEmailSettings.reopenDays,
    autoReply: { enabled: autoReply?.enabled ?? false, content: autoReply?.content ?? null },
  }
}

interface Server {
  auth: 'password' | 'oauth'
  host: string
  user: string | null
}

function isSameServer(before: Server | null, after: Server | null): boolean {
  if (before === null || after === null || (before.auth ?? 'password') !== after.auth) return false
  return before.host === after.host && before.user === after.user
}

/** Returns settings as this version stores them: rows of earlier ones have fewer fields. */
export function completeEmail(stored: Partial<InboxEmail> | undefined): InboxEmail {
  const email = { ...noEmailSettings, ...stored }
  const { imap, smtp } = email
  const auth = 'password' as const
  return {
    ...email,
    imap: imap && { ...{ enabled: imap.enabled, auth }, ...imap, status: completeStatus(imap.status) },
    smtp: smtp && { ...{ auth }, ...smtp, status: completeStatus(smtp.status) },
  }
}

function completeStatus<S extends { reauthRequired: boolean }>(status: S): S {
  return { ...status, reauthRequired: status.reauthRequired ?? false }
}

type GivenServer = NonNullable<InboxEmailBody['imap'] | InboxEmailBody['smtp']>
type OfProvider = { oauth: InboxEmail['oauth']; name: 'imap' | 'smtp' }

/** The server and the user of a sign-in are the provider's; without a sign-in they are not known. */
function serverOf(given: GivenServer, { oauth, name }: OfProvider) {
  const { host, port, security, user = null } = given
  if (given.auth === 'oauth' && oauth !== null)
    return { auth: 'oauth' as const, ...mailProviderServers[oauth.provider][name], user: oauth.user }
  return {
    auth: given.auth ?? ('password' as const),
    host: host ?? '',
    port: port ?? 0,
    security: security ?? ('tls' as const),
    user,
  }
}

function imapOf(before: InboxEmail, given: NonNullable<InboxEmailBody['imap']> | null): InboxEmail['imap'] {
  if (given === null) return null
  const server = serverOf(given, { oauth: before.oauth, name: 'imap' })
  const fresh = { ok: null, checkedAt: null, error: null, reauthRequired: false, lastMailAt: null }
  return {
    enabled: given.enabled ?? true,
    ...server,
    user: server.user ?? '',
    folder: given.folder ?? 'INBOX',
    since: given.since ?? null,
    status: before.imap && isSameServer(before.imap, server) ? before.imap.status : fresh,
  }
}

function smtpOf(before: InboxEmail, given: NonNullable<InboxEmailBody['smtp']> | null): InboxEmail['smtp'] {
  if (given === null) return null
  const server = serverOf(given, { oauth: before.oauth, name: 'smtp' })
  const fresh = { ok: null, checkedAt: null, error: null, reauthRequired: false, nextTryAt: null }
  return { ...server, status: before.smtp && isSameServer(before.smtp, server) ? before.smtp.status : fresh }
}

/** The settings after a sign-in, or without one: servers that use it are those of its provider. */
export function emailWithSignIn(before: InboxEmail, oauth: InboxEmail['oauth']): InboxEmail {
  const reauthRequired = oauth === null
  const moved = <S extends NonNullable<InboxEmail['imap'] | InboxEmail['smtp']>>(
    server: S | null,
    name: 'imap' | 'smtp',
  ): S | null => {
    if (server === null || server.auth !== 'oauth') return server
    const place = oauth && { ...mailProviderServers[oauth.provider][name], user: oauth.user }
    return { ...server, ...place, status: { ...server.status, reauthRequired } }
  }
  return { ...before, oauth, imap: moved(before.imap, 'imap'), smtp: moved(before.smtp, 'smtp') }
}

/** Returns the domain of an address in the form of the DNS: in ASCII, and in lower case. */
export function domainOf(address: string): string
export function domainOf(address: string | null): string | null
export function domainOf(address: string | null): string | null {
  if (address === null) return null
  const folded = foldEmail(address)
  const domain = splitEmail(folded)?.domain ?? folded
  return asciiDomain(domain) ?? domain
}
