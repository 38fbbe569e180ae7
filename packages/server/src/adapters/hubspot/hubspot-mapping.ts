import type { SourceFields, SourceLink, SourceModule, SourceRecord } from '../../ports/connector.ts'
import type { Json } from './hubspot-tokens.ts'

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
}

/** The properties that have a field of their own here. */
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
  Deals: { dealname: 'subject', dealstage: 'status' },
  Cases: {
    subject: 'subject',
    content: 'message',
    hs_pipeline_stage: 'status',
    hs_ticket_priority: 'priority',
  },
  Notes: { hs_note_body: 'content' },
  Calls: {
    hs_call_title: 'metadata.notes',
    hs_call_body: 'metadata.notes',
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

/** Kept as custom fields where a record has them. */
export const extraProperties: Readonly<Partial<Record<SourceModule, readonly string[]>>> = {
  Contacts: ['hs_merged_object_ids', 'lifecyclestage'],
  Deals: ['amount', 'pipeline', 'closedate', 'description'],
  Cases: ['hs_pipeline', 'hs_ticket_category'],
  Tasks: ['hs_task_status'],
}

export interface Links {
  readonly person: SourceLink | null
  readonly parent: SourceLink | null
}

interface RecordParts {
  readonly module: SourceModule
  readonly links: Links
  /** Stages that are closed, and the names of all stages, by their id. */
  readonly closedStages: ReadonlySet<string>
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

const maps: Readonly<
  Record<SourceModule, (of: Properties, closedStages: ReadonlySet<string>) => SourceFields>
> = {
  Accounts: (of) => ({ company: of.text('name') }),
  Contacts: (of) => ({
    firstName: of.text('firstname'),
    lastName: of.text('lastname'),
    email: of.text('email'),
    secondaryEmails: of.list('hs_additional_emails'),
    ...phonesOf(of),
    company: of.text('company'),
    jobTitle: of.text('jobtitle'),
  }),
  Leads: () => ({}),
  Deals: (of, closed) => ({
    subject: of.text('dealname'),
    status: closed.has(of.text('dealstage') ?? '') ? 'closed' : 'open',
  }),
  Cases: (of, closed) => ({
    subject: of.text('subject'),
    status: closed.has(of.text('hs_pipeline_stage') ?? '') ? 'closed' : 'open',
    priority: priorities[of.text('hs_ticket_priority') ?? ''] ?? null,
    channel: 'email',
    description: of.text('content'),
  }),
  Notes: (of) => ({ content: of.text('hs_note_body'), isHtml: true }),
  Calls: (of) => ({
    subject: of.text('hs_call_title'),
    direction: of.text('hs_call_direction') === 'OUTBOUND' ? 'outbound' : 'inbound',
    isMissed: of.text('hs_call_status') === 'NO_ANSWER' || of.text('hs_call_status') === 'MISSED',
    startedAt: of.moment('hs_timestamp'),
    durationSeconds: of.seconds('hs_call_duration'),
    fromNumber: of.text('hs_call_from_number'),
    toNumber: of.text('hs_call_to_number'),
    notes: of.text('hs_call_body'),
    isHtml: true,
  }),
  Events: (of) => ({
    subject: of.text('hs_meeting_title'),
    startedAt: of.moment('hs_meeting_start_time'),
    endedAt: of.moment('hs_meeting_end_time'),
    notes: of.text('hs_meeting_body'),
    isHtml: true,
  }),
  Tasks: (of) => ({
    subject: of.text('hs_task_subject'),
    startedAt: of.moment('hs_timestamp'),
    endedAt: of.moment('hs_task_completion_date'),
    notes: of.text('hs_task_body'),
    isHtml: true,
  }),
}

/** One object in the words of the port. */
export function sourceRecordOf(given: Json, { module, links, closedStages }: RecordParts): SourceRecord {
  const values = (given['properties'] ?? {}) as Json
  const of = new Properties(values)
  const fields = maps[module](of, closedStages)
  const mergedIds = of.list('hs_merged_object_ids')
  return {
    module,
    id: String(given['id']),
    row: null,
    createdAt: isoOf(given['createdAt']),
    modifiedAt: isoOf(given['updatedAt']),
    url: typeof given['url'] === 'string' ? given['url'] : null,
    ...links,
    fields,
    customFields: customFieldsOf(module, values),
    warnings: of.warnings,
    emailName: 'email',
    ...(mergedIds.length > 0 && { mergedIds }),
  }
}

function isoOf(value: unknown): string | null {
  const ms = Date.parse(String(value))
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/** Properties that HubSpot adds to every object. */
const systemProperties = new Set([
  'createdate',
  'hs_createdate',
  'lastmodifieddate',
  'hs_lastmodifieddate',
  'hs_object_id',
  'hs_merged_object_ids',
])

function customFieldsOf(module: SourceModule, values: Json): Record<string, unknown> {
  const mapped = mappedProperties[module]
  // Beside a phone, the number of the mobile phone has no field of its own.
  const isKept = (name: string) => /stage/.test(name) || (name === 'mobilephone' && Boolean(values['phone']))
  const isOwn = (name: string) => systemProperties.has(name) || (Object.hasOwn(mapped, name) && !isKept(name))
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== null && value !== '' && !isOwn(name)),
  )
}
