import { meaningOf } from '../../connectors/files/choice-words.ts'
import type {
  SourceAuthor,
  SourceFields,
  SourceLink,
  SourceModule,
  SourceRecord,
} from '../../ports/connector.ts'
import { filesOfProperty, withMissingFiles } from './hubspot-missing-files.ts'
import type { Json } from './hubspot-tokens.ts'
import type { Vocabulary } from './hubspot-vocabulary.ts'

/** The objects of HubSpot by module. HubSpot has no module of leads that imports read. */
export const objectTypes: Readonly<Partial<Record<SourceModule, string>>> = {
  Accounts: 'companies',
  Contacts: 'contacts',
  Deals: 'deals',
  Cases: 'tickets',
  Notes: 'notes',
  Calls: 'calls',
  Events: 'meetings',
  Tasks: 'tasks',
  Emails: 'emails',
}

/**
 * The properties that have a field of their own here. HubSpot's OpenAPI files name none, because each portal has its own. The names for e-mails are
 * of the guide to e-mails and `source_type` is of the overview of the Tickets API, both read in November 2026; the others are default
 * properties, which no document that was read confirms. `fields.json` of the emulator lists them, and a test compares the two.
 */
export const mappedProperties: Readonly<Record<SourceModule, Readonly<Record<string, string>>>> = {
  Accounts: { name: 'company' },
  Contacts: {
    firstname: 'firstName',
    lastname: 'lastName',
    email: 'email',
    hs_additional_emails: 'secondaryEmails',
    phone: 'phone',
    mobilephone: 'phone',
    company: 'company',
    jobtitle: 'jobTitle',
  },
  Leads: {},
  Deals: { dealname: 'subject', dealstage: 'status', closedate: 'closedAt' },
  Cases: {
    subject: 'subject',
    content: 'message',
    hs_pipeline_stage: 'status',
    hs_ticket_priority: 'priority',
    source_type: 'channel',
    closed_date: 'closedAt',
  },
  Notes: {
    hs_note_body: 'content',
    hs_attachment_ids: 'content',
    hs_timestamp: 'createdAt',
    hubspot_owner_id: 'sender',
  },
  Emails: {
    hs_email_subject: 'content',
    hs_email_text: 'content',
    hs_email_html: 'content',
    hs_attachment_ids: 'content',
    hs_email_direction: 'direction',
    hs_email_status: 'status',
    hs_email_from_email: 'sender',
    hs_email_from_firstname: 'sender',
    hs_email_from_lastname: 'sender',
    hs_timestamp: 'createdAt',
    hubspot_owner_id: 'sender',
  },
  Calls: {
    hs_call_title: 'metadata.notes',
    hs_call_body: 'metadata.notes',
    hs_attachment_ids: 'metadata.notes',
    hs_call_direction: 'direction',
    hs_call_duration: 'durationSeconds',
    hs_call_status: 'status',
    hs_call_from_number: 'from',
    hs_call_to_number: 'to',
    hs_timestamp: 'startedAt',
  },
  Events: {
    hs_meeting_title: 'metadata.notes',
    hs_meeting_body: 'metadata.notes',
    hs_attachment_ids: 'metadata.notes',
    hs_meeting_start_time: 'startedAt',
    hs_meeting_end_time: 'endedAt',
  },
  Tasks: {
    hs_task_subject: 'metadata.notes',
    hs_task_body: 'metadata.notes',
    hs_timestamp: 'startedAt',
    hs_task_completion_date: 'endedAt',
  },
}

export interface Links {
  readonly person: SourceLink | null
  readonly parent: SourceLink | null
}

interface RecordParts {
  readonly module: SourceModule
  readonly links: Links
  readonly words: Vocabulary
  /** The name of the company that a contact is linked to. */
  readonly company?: string | undefined
}

const priorities: Readonly<Record<string, SourceFields['priority']>> = {
  LOW: 'low',
  MEDIUM: 'medium',
  HIGH: 'high',
  URGENT: 'urgent',
}

/** Reads properties, which are texts or null, and collects the ones that cannot be read. */
class Properties {
  readonly #values: Json
  readonly warnings: SourceRecord['warnings'][number][] = []
  constructor(values: Json) {
    this.#values = values
  }
  text(name: string): string | null {
    const value = this.#values[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  list(name: string): string[] {
    return (this.text(name) ?? '').split(';').filter((part) => part !== '')
  }
  moment(name: string): string | null {
    const text = this.text(name)
    if (text === null) return null
    // Older properties hold milliseconds.
    const ms = /^\d{12,14}$/.test(text) ? Number(text) : Date.parse(text)
    if (!Number.isNaN(ms)) return new Date(ms).toISOString()
    this.warnings.push({ code: 'INVALID_VALUE', message: `${name} is no date` })
    return null
  }
  seconds(name: string): number | null {
    const text = this.text(name)
    if (text === null) return null
    const ms = Number(text)
    if (Number.isFinite(ms) && ms >= 0) return Math.round(ms / 1000)
    this.warnings.push({ code: 'INVALID_VALUE', message: `${name} is no number` })
    return null
  }
}

function phonesOf(of: Properties): Pick<SourceFields, 'phone' | 'secondaryPhones'> {
  const [phone = null, ...secondaryPhones] = ['phone', 'mobilephone'].flatMap((name) => of.text(name) ?? [])
  return { phone, secondaryPhones }
}

/** The words of `source_type`, from the overview of HubSpot's Tickets API. A form is filled in on a web page, as a chat is. */
const channels: Readonly<Record<string, string>> = {
  EMAIL: 'email',
  CHAT: 'chat',
  FORM: 'chat',
  PHONE: 'phone',
}

function stageStatus(of: Properties, { name, words }: { name: string; words: Vocabulary }) {
  const stage = of.text(name) ?? ''
  if (words.closedStages.has(stage)) return 'closed'
  return name === 'hs_pipeline_stage' && meaningOf('status', words.wordsOf(name, stage)) === 'pending'
    ? 'pending'
    : 'open'
}

const maps: Readonly<Record<SourceModule, (of: Properties, parts: RecordParts) => SourceFields>> = {
  Accounts: (of) => ({ company: of.text('name') }),
  Contacts: (of, { company }) => ({
    firstName: of.text('firstname'),
    lastName: of.text('lastname'),
    email: of.text('email'),
    secondaryEmails: of.list('hs_additional_emails'),
    ...phonesOf(of),
    company: company ?? of.text('company'),
    jobTitle: of.text('jobtitle'),
  }),
  Leads: () => ({}),
  Deals: (of, { words }) => {
    const status = stageStatus(of, { name: 'dealstage', words })
    // An open deal has the date of its plan.
    const closedAt = status === 'closed' ? of.moment('closedate') : null
    return { subject: of.text('dealname'), status, closedAt }
  },
  Cases: (of, { words }) => ({
    subject: of.text('subject'),
    status: stageStatus(of, { name: 'hs_pipeline_stage', words }),
    priority: priorities[of.text('hs_ticket_priority') ?? ''] ?? null,
    channel: channels[of.text('source_type') ?? ''] ?? 'email',
    closedAt: of.moment('closed_date'),
    description: of.text('content'),
  }),
  Notes: (of, { words }) => ({
    content: of.text('hs_note_body'),
    isHtml: true,
    ownerName: words.ownerOf(of.text('hubspot_owner_id')),
  }),
  Emails: (of, { words, links }) => {
    const text = of.text('hs_email_text')
    return {
      // In a conversation, the subject says nothing new.
      title: links.parent?.module === 'Contacts' ? of.text('hs_email_subject') : null,
      content: text ?? of.text('hs_email_html') ?? of.text('hs_email_subject'),
      isHtml: text === null && of.text('hs_email_html') !== null,
      isReply: true,
      ownerName: words.ownerOf(of.text('hubspot_owner_id')),
    }
  },
  Calls: (of, { words }) => ({
    subject: of.text('hs_call_title'),
    direction: of.text('hs_call_direction') === 'OUTBOUND' ? 'outbound' : 'inbound',
    isMissed: of.text('hs_call_status') === 'NO_ANSWER' || of.text('hs_call_status') === 'MISSED',
    startedAt: of.moment('hs_timestamp'),
    durationSeconds: of.seconds('hs_call_duration'),
    fromNumber: of.text('hs_call_from_number'),
    toNumber: of.text('hs_call_to_number'),
    notes: of.text('hs_call_body'),
    isHtml: true,
    ownerName: words.ownerOf(of.text('hubspot_owner_id')),
  }),
  Events: (of, { words }) => ({
    subject: of.text('hs_meeting_title'),
    startedAt: of.moment('hs_meeting_start_time'),
    endedAt: of.moment('hs_meeting_end_time'),
    notes: of.text('hs_meeting_body'),
    isHtml: true,
    ownerName: words.ownerOf(of.text('hubspot_owner_id')),
  }),
  Tasks: (of, { words }) => ({
    subject: of.text('hs_task_subject'),
    startedAt: of.moment('hs_timestamp'),
    endedAt: of.moment('hs_task_completion_date'),
    notes: of.text('hs_task_body'),
    isHtml: true,
    ownerName: words.ownerOf(of.text('hubspot_owner_id')),
  }),
}

/** Returns the author of an e-mail. The one that was forwarded to the CRM is of whoever has its address. */
function authorOf(of: Properties, ownerName: string | null): SourceAuthor {
  const direction = of.text('hs_email_direction')
  const role = direction === 'INCOMING_EMAIL' ? 'customer' : direction === 'EMAIL' ? 'agent' : null
  const name = [of.text('hs_email_from_firstname'), of.text('hs_email_from_lastname')].filter(
    (part) => part !== null,
  )
  const ofAgent = role === 'agent' ? ownerName : null
  return {
    id: null,
    email: of.text('hs_email_from_email'),
    name: name.length > 0 ? name.join(' ') : ofAgent,
    role,
  }
}

/** One object in the words of the port. */
export function sourceRecordOf(given: Json, parts: RecordParts): SourceRecord {
  const { module, links } = parts
  const values = (given['properties'] ?? {}) as Json
  const of = new Properties(values)
  const fields = maps[module](of, parts)
  const mergedIds = of.list('hs_merged_object_ids')
  // A note or an e-mail that was logged later happened at this time.
  const happenedAt = module === 'Notes' || module === 'Emails' ? of.moment('hs_timestamp') : null
  const record: SourceRecord = {
    module,
    id: String(given['id']),
    row: null,
    createdAt: happenedAt ?? isoOf(given['createdAt']),
    modifiedAt: isoOf(given['updatedAt']),
    url: typeof given['url'] === 'string' ? given['url'] : null,
    ...links,
    ...(module === 'Emails' && { author: authorOf(of, fields.ownerName ?? null) }),
    fields,
    customFields: customFieldsOf(values, parts, fields),
    warnings: of.warnings,
    emailName: 'email',
    ...(mergedIds.length > 0 && { mergedIds }),
  }
  return Object.hasOwn(mappedProperties[module], 'hs_attachment_ids')
    ? withMissingFiles(record, filesOfProperty(values))
    : record
}

function isoOf(value: unknown): string | null {
  const ms = Date.parse(String(value))
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/** Properties that HubSpot adds to every object. */
export const systemProperties: ReadonlySet<string> = new Set([
  'createdate',
  'hs_createdate',
  'lastmodifieddate',
  'hs_lastmodifieddate',
  'hs_object_id',
  'hs_merged_object_ids',
])

function customFieldsOf(
  values: Json,
  { module, words }: RecordParts,
  fields: SourceFields,
): Record<string, unknown> {
  const mapped = mappedProperties[module]
  // Values whose field here holds another one, or less than they say.
  const isKept = (name: string, value: unknown) =>
    /stage|source_type|closed?_?date/.test(name) ||
    (name === 'mobilephone' && Boolean(values['phone'])) ||
    (name === 'company' && value !== fields.company)
  const isOwn = (name: string, value: unknown) =>
    systemProperties.has(name) || (Object.hasOwn(mapped, name) && !isKept(name, value))
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (value === null || value === '' || isOwn(name, value)) return []
      return [[name, typeof value === 'string' ? words.wordsOf(name, value) : value]]
    }),
  )
}
