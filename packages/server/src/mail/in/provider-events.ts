import { normalizeEmail } from '@crmkit/core'
import type { BouncedRecipient } from '../parse/mail-facts.ts'

/**
 * The events of mail providers about mails that they took, in the forms that their documents show:
 * https://postmarkapp.com/developer/webhooks/webhooks-overview,
 * https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event,
 * https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads.
 */
export interface ProviderEvent {
  /** Our value in the mail, which the provider repeats; null where it repeats none. */
  ref: string | null
  /** The Message-ID of the mail, without brackets; null where it is not named. */
  messageId: string | null
  recipient: BouncedRecipient
}

export type MailProvider = 'postmark' | 'sendgrid' | 'mailgun'

export interface ProviderEvents {
  provider: MailProvider
  events: readonly unknown[]
}

type Fields = Readonly<Record<string, unknown>>

/** Returns whose events a body holds; undefined for any other body. */
export function eventsOfBody(body: unknown): ProviderEvents | undefined {
  if (Array.isArray(body)) return { provider: 'sendgrid', events: body }
  const fields = fieldsOf(body)
  if ('event-data' in fields) return { provider: 'mailgun', events: [fields['event-data']] }
  return typeof fields['RecordType'] === 'string' ? { provider: 'postmark', events: [body] } : undefined
}

/** Returns what an event says about one recipient; undefined for an event that says nothing about the way of the mail. */
export function readEvent(provider: MailProvider, event: unknown): ProviderEvent | undefined {
  const read = readers[provider](fieldsOf(event))
  if (read === undefined || read.address === '') return undefined
  const { ref, messageId, action, status, text } = read
  const address = normalizeEmail(read.address.slice(0, textMax))
  return {
    ref: ref || null,
    messageId: messageId?.slice(0, textMax).replace(/^<|>$/g, '') || null,
    recipient: { address, originalAddress: null, action, status: status || null, text: text || null },
  }
}

interface Read {
  address: string
  action: 'delivered' | 'delayed' | 'failed' | 'complaint'
  ref?: string
  messageId?: string
  /** A code such as `5.1.1`. */
  status?: string
  text?: string
}

const textMax = 1_000
/** The code of an address that does not exist, where a provider says so in its own words. */
const noAddress = '5.1.1'

const readers: Readonly<Record<MailProvider, (event: Fields) => Read | undefined>> = {
  postmark: readPostmark,
  sendgrid: readSendgrid,
  mailgun: readMailgun,
}

/** Its bounces that are no failure: the mail has arrived, or is on its way. */
const noFailures: ReadonlySet<string> = new Set([
  'AutoResponder',
  'ChallengeVerification',
  'Subscribe',
  'Unsubscribe',
  'AddressChange',
  'Transient',
  'OpenRelayTest',
])

function readPostmark(event: Fields): Read | undefined {
  const ref = textOf(fieldsOf(event['Metadata'])['crmkit'])
  const type = textOf(event['Type'])
  const [address, text] = [textOf(event['Email']), textOf(event['Details'])]
  if (event['RecordType'] === 'Delivery')
    return { address: textOf(event['Recipient']), action: 'delivered', ref }
  if (event['RecordType'] === 'SpamComplaint' || type === 'SpamComplaint')
    return { address, action: 'complaint', ref }
  if (event['RecordType'] !== 'Bounce' || noFailures.has(type)) return undefined
  const isHard = type === 'HardBounce' || type === 'BadEmailAddress'
  return { address, action: 'failed', ref, status: isHard ? noAddress : '', text }
}

function readSendgrid(event: Fields): Read | undefined {
  const named = {
    address: textOf(event['email']),
    ref: textOf(event['crmkit']),
    messageId: textOf(event['smtp-id']),
  }
  const text = textOf(event['reason']) || textOf(event['response'])
  if (event['event'] === 'delivered') return { ...named, action: 'delivered' }
  if (event['event'] === 'spamreport') return { ...named, action: 'complaint' }
  if (event['event'] === 'deferred') return { ...named, action: 'delayed', text }
  // It did not even try: that says nothing new about the address.
  if (event['event'] === 'dropped') return { ...named, action: 'failed', text }
  if (event['event'] !== 'bounce') return undefined
  const status = event['type'] === 'blocked' ? '' : codeIn(textOf(event['status']))
  return { ...named, action: 'failed', status, text }
}

function readMailgun(event: Fields): Read | undefined {
  const headers = fieldsOf(fieldsOf(event['message'])['headers'])
  const named = {
    address: textOf(event['recipient']),
    ref: textOf(fieldsOf(event['user-variables'])['crmkit']),
    messageId: textOf(headers['message-id']),
  }
  const said = fieldsOf(event['delivery-status'])
  const text = textOf(said['message']) || textOf(said['description'])
  if (event['event'] === 'delivered') return { ...named, action: 'delivered' }
  if (event['event'] === 'complained') return { ...named, action: 'complaint' }
  if (event['event'] !== 'failed') return undefined
  if (event['severity'] !== 'permanent') return { ...named, action: 'delayed', text }
  return { ...named, action: 'failed', status: codeIn(textOf(said['enhanced-code'])) || codeIn(text), text }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, textMax) : ''
}

function codeIn(text: string): string {
  return /\b5\.\d{1,3}\.\d{1,3}\b/.exec(text)?.[0] ?? ''
}
