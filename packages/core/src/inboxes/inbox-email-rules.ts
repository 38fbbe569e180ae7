import type { CrossFieldRule } from '../contract/define-operation.ts'
import { asciiDomain, foldEmail, splitEmail } from '../shared/fold.ts'
import { type InboxEmail, type InboxEmailBody, noEmailSettings } from './inbox-email.ts'

/** A signed address adds 44 characters to the local part, which holds 64 (RFC 5321). */
export const plusLocalPartMax = 20

type Problem = NonNullable<ReturnType<CrossFieldRule['check']>>

function problemOf(email: InboxEmailBody): Problem | undefined {
  const { address = null, transport, smtp, plusAddressing, autoReply } = email
  if ((transport ?? 'none') !== 'none' && address === null)
    return { field: 'email.address', message: 'is required for this transport', rule: 'required' }
  if (transport === 'smtp' && (smtp ?? null) === null)
    return { field: 'email.smtp', message: 'is required for the transport `smtp`', rule: 'required' }
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

/** Says what the e-mail settings of an inbox need together; they are replaced as a whole. */
export const emailSettingsAreComplete: CrossFieldRule = {
  description:
    'A transport other than `none` needs an address, `smtp` needs a server, plus addressing needs an address with at most 20 characters before the @, and an automatic reply needs a text.',
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
    hasSmtpPassword: before.hasSmtpPassword && isSameServer(before.smtp, smtp),
    hasImapPassword: before.hasImapPassword && isSameServer(before.imap, imap),
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
    transport: given.transport ?? noEmailSettings.transport,
    sendDelaySeconds: given.sendDelaySeconds ?? noEmailSettings.sendDelaySeconds,
    reopenDays: given.reopenDays ?? noEmailSettings.reopenDays,
    autoReply: { enabled: autoReply?.enabled ?? false, content: autoReply?.content ?? null },
  }
}

interface Server {
  host: string
  user: string | null
}

function isSameServer(before: Server | null, after: Server | null): boolean {
  return before !== null && after !== null && before.host === after.host && before.user === after.user
}

function imapOf(before: InboxEmail, given: NonNullable<InboxEmailBody['imap']> | null): InboxEmail['imap'] {
  if (given === null) return null
  const { host, port, security, user } = given
  const fresh = { ok: null, checkedAt: null, error: null, lastMailAt: null }
  return {
    enabled: given.enabled ?? true,
    host,
    port,
    security,
    user,
    folder: given.folder ?? 'INBOX',
    since: given.since ?? null,
    status: before.imap && isSameServer(before.imap, given) ? before.imap.status : fresh,
  }
}

function smtpOf(before: InboxEmail, given: NonNullable<InboxEmailBody['smtp']> | null): InboxEmail['smtp'] {
  if (given === null) return null
  const { host, port, security, user = null } = given
  const after = { host, port, security, user }
  const fresh = { ok: null, checkedAt: null, error: null, nextTryAt: null }
  return { ...after, status: before.smtp && isSameServer(before.smtp, after) ? before.smtp.status : fresh }
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
