import { normalizeEmail } from '@crmkit/core'
import { asRemoteId } from '../addresses/remote-ids.ts'
import type { BouncedRecipient } from '../parse/mail-facts.ts'
import { readSnsMessage, type SnsMessage } from './sns-message.ts'

/**
 * The events of mail providers about mails that they took, in the forms that their documents show:
 * https://postmarkapp.com/developer/webhooks/webhooks-overview,
 * https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event,
 * https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads,
 * https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html (`notificationType`),
 * https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html (`eventType`).
 */
export interface ProviderEvent {
  /** Our value in the mail, which the provider repeats; null where it repeats none. */
  ref: string | null
  /** The Message-ID of the mail, without brackets; null where it is not named. */
  messageId: string | null
  /** The id that the provider gave the mail; null where it is not the one of its 250 line. */
  remoteId: string | null
  recipient: BouncedRecipient
}

export type MailProvider = 'postmark' | 'sendgrid' | 'mailgun' | 'ses'

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
  const ofTopic = readSnsMessage(body)
  if (ofTopic !== undefined) return { provider: 'ses', events: sesEvents(ofTopic) }
  return typeof fields['RecordType'] === 'string' ? { provider: 'postmark', events: [body] } : undefined
}

/** Returns what an event says about one recipient; undefined for an event that says nothing about the way of the mail. */
export function readEvent(provider: MailProvider, event: unknown): ProviderEvent | undefined {
  const read = readers[provider](fieldsOf(event))
  if (read === undefined || read.address === '') return undefined
  const { ref, messageId, remoteId, action, status, text } = read
  const address = normalizeEmail(read.address.slice(0, textMax))
  return {
    ref: ref || null,
    messageId: messageId?.slice(0, textMax).replace(/^<|>$/g, '') || null,
    remoteId: asRemoteId(remoteId ?? '') ?? null,
    recipient: { address, originalAddress: null, action, status: status || null, text: text || null },
  }
}

interface Read {
  address: string
  action: 'delivered' | 'delayed' | 'failed' | 'suppressed' | 'complaint'
  ref?: string
  messageId?: string
  remoteId?: string
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
  ses: readSes,
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

/** Returns the events in the message of a topic: one for each recipient, and none for a message of another kind. */
function sesEvents({ type, message }: SnsMessage): unknown[] {
  if (type !== 'Notification') return []
  const event = fieldsOf(jsonOf(message))
  const mail = fieldsOf(event['mail'])
  const kind = textOf(event['notificationType']) || textOf(event['eventType'])
  const name = kind.charAt(0).toLowerCase() + kind.slice(1)
  const said = fieldsOf(event[name])
  const recipients =
    kind === 'Reject' ? mail['destination'] : said[sesRecipients[kind as keyof typeof sesRecipients] ?? '']
  const listed = Array.isArray(recipients) ? recipients.slice(0, sesRecipientsMax) : []
  return listed.map((recipient: unknown) => ({ kind, mail, said, recipient, count: listed.length }))
}

/** The list of recipients in what SES says, by the type of its event. */
const sesRecipients = {
  Bounce: 'bouncedRecipients',
  Complaint: 'complainedRecipients',
  Delivery: 'recipients',
  DeliveryDelay: 'delayedRecipients',
} as const
/** SES takes 50 recipients a mail. */
const sesRecipientsMax = 50

function readSes({ kind, mail: mailOfEvent, said: saidOfEvent, recipient, count }: Fields): Read | undefined {
  const [mail, said, about] = [fieldsOf(mailOfEvent), fieldsOf(saidOfEvent), fieldsOf(recipient)]
  const [tag] = [fieldsOf(mail['tags'])['crmkit']].flat()
  const named = {
    address: textOf(recipient) || textOf(about['emailAddress']),
    ref: textOf(tag),
    messageId: textOf(fieldsOf(mail['commonHeaders'])['messageId']),
    remoteId: textOf(mail['messageId']),
  }
  const text = textOf(about['diagnosticCode']) || textOf(said['reason'])
  if (kind === 'Delivery') return { ...named, action: 'delivered' }
  if (kind === 'DeliveryDelay') return { ...named, action: 'delayed', text }
  if (kind === 'Reject') return { ...named, action: 'failed', text }
  const subType = textOf(said['bounceSubType']) || textOf(said['complaintSubType'])
  // It did not even try, because the address is on the list of the account.
  if (subType === 'OnAccountSuppressionList') return { ...named, action: 'suppressed', text }
  if (kind === 'Complaint') {
    if (said['complaintFeedbackType'] === 'not-spam') return undefined
    // It names everybody at the domain who may have complained.
    if (count !== 1) return { ...named, action: 'delayed', text: 'One of several recipients reported spam' }
    return { ...named, action: 'complaint' }
  }
  const isHard = said['bounceType'] === 'Permanent' && (subType === 'General' || subType === 'NoEmail')
  return { ...named, action: 'failed', status: isHard ? noAddress : '', text }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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
