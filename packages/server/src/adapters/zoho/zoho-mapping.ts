import type { SourceFields, SourceLink, SourceModule, SourceRecord } from '../../ports/connector.ts'
import type { Json } from './zoho-client.ts'
import { commonFields, mappedFields } from './zoho-fields.ts'

type Warning = SourceRecord['warnings'][number]

/** Reads the values of one row and collects the ones that cannot be read. */
class Row {
  readonly #row: Json
  readonly warnings: Warning[] = []
  constructor(row: Json) {
    this.#row = row
  }

  text(name: string): string | null {
    const value = this.#row[name]
    if (value === null || value === undefined || typeof value === 'object') return null
    return String(value)
  }

  /** An ISO moment in UTC; a value that cannot be read is null with a warning. */
  moment(name: string): string | null {
    const text = this.text(name)
    if (text === null || text === '') return null
    const isoForm = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2}))?$/
    const ms = isoForm.test(text) ? Date.parse(text) : Number.NaN
    if (!Number.isNaN(ms)) return new Date(ms).toISOString()
    this.warnings.push({ code: 'INVALID_VALUE', message: `${name} is no date` })
    return null
  }

  /** The id of a lookup `{id, name}`. */
  idOf(name: string): string | null {
    const id = (this.#row[name] as Json | null | undefined)?.['id']
    return typeof id === 'string' ? id : null
  }

  nameOf(name: string): string | null {
    const value = (this.#row[name] as Json | null | undefined)?.['name']
    return typeof value === 'string' ? value : this.text(name)
  }

  tags(): string[] {
    const tags = this.#row['Tag']
    if (!Array.isArray(tags)) return []
    return tags.flatMap((tag: Json) => (typeof tag?.['name'] === 'string' ? [tag['name']] : []))
  }

  seconds(name: string): number | null {
    const value = this.#row[name]
    if (value === null || value === undefined || value === '') return null
    const seconds = Number(value)
    if (Number.isFinite(seconds) && seconds >= 0) return Math.round(seconds)
    this.warnings.push({ code: 'INVALID_VALUE', message: `${name} is no number` })
    return null
  }

  /** The record that `What_Id` or `Parent_Id` names, in the newer form with its module and in the older one. */
  link(name: string): SourceLink | null {
    const id = this.idOf(name)
    const inner = (this.#row[name] as Json | null | undefined)?.['module'] as Json | null | undefined
    const module = linkModule(inner?.['api_name'] ?? this.#row['$se_module'])
    return id === null || module === null ? null : { module, id }
  }
}

const linkModules: readonly SourceModule[] = ['Accounts', 'Contacts', 'Leads', 'Deals', 'Cases']

function linkModule(name: unknown): SourceModule | null {
  return linkModules.find((module) => module === name) ?? null
}

const caseStatuses: Readonly<Record<string, SourceFields['status']>> = {
  'On Hold': 'pending',
  Closed: 'closed',
}
const priorities: Readonly<Record<string, SourceFields['priority']>> = {
  High: 'high',
  Medium: 'medium',
  Low: 'low',
}
const origins: Readonly<Record<string, string>> = {
  Email: 'email',
  Phone: 'phone',
  Web: 'chat',
  Twitter: 'twitter',
  Facebook: 'facebook',
}

type Map = (row: Row, stages: ReadonlySet<string>) => SourceFields

/** The number of the profile is the first of these; the others are further numbers of the person. */
const profilePhones = ['Phone', 'Mobile'] as const
const furtherPhones = ['Home_Phone', 'Other_Phone'] as const

function phonesOf(row: Pick<Row, 'text'>): Pick<SourceFields, 'phone' | 'secondaryPhones'> {
  const [phone = null, ...others] = profilePhones.flatMap((name) => row.text(name) || [])
  return { phone, secondaryPhones: [...others, ...furtherPhones.flatMap((name) => row.text(name) || [])] }
}

const person: Map = (row) => ({
  firstName: row.text('First_Name'),
  lastName: row.text('Last_Name'),
  email: row.text('Email'),
  secondaryEmails: [row.text('Secondary_Email')].filter((email) => email !== null),
  ...phonesOf(row),
  company: row.nameOf('Account_Name') ?? row.text('Company'),
  jobTitle: row.text('Title') ?? row.text('Designation'),
  tags: row.tags(),
})

const maps: Readonly<Record<SourceModule, Map>> = {
  Accounts: (row) => ({ company: row.text('Account_Name') }),
  Contacts: person,
  Leads: person,
  Deals: (row, closedStages) => {
    const stage = row.text('Stage') ?? ''
    const isClosed = closedStages.has(stage) || /^closed/i.test(stage)
    return { subject: row.text('Deal_Name'), status: isClosed ? 'closed' : 'open', tags: row.tags() }
  },
  Cases: (row) => {
    const status = row.text('Status') ?? ''
    const isEscalated = status === 'Escalated'
    return {
      subject: row.text('Subject'),
      status: caseStatuses[status] ?? 'open',
      priority: isEscalated ? 'urgent' : (priorities[row.text('Priority') ?? ''] ?? null),
      channel: origins[row.text('Case_Origin') ?? ''] ?? 'email',
      description: row.text('Description'),
      tags: row.tags(),
    }
  },
  Notes: (row) => ({
    title: row.text('Note_Title'),
    content: row.text('Note_Content'),
    ownerName: row.nameOf('Owner'),
  }),
  Emails: () => ({}),
  Calls: (row) => {
    const type = row.text('Call_Type')
    return {
      subject: row.text('Subject'),
      direction: type === 'Outbound' ? 'outbound' : 'inbound',
      isMissed: type === 'Missed',
      startedAt: row.moment('Call_Start_Time'),
      durationSeconds: row.seconds('Call_Duration_in_seconds'),
      fromNumber: row.text('Caller_ID'),
      toNumber: row.text('Dialled_Number'),
      notes: row.text('Description'),
      ownerName: row.nameOf('Owner'),
    }
  },
  Events: (row) => ({
    subject: row.text('Event_Title'),
    startedAt: row.moment('Start_DateTime'),
    endedAt: row.moment('End_DateTime'),
    notes: row.text('Description'),
    ownerName: row.nameOf('Owner'),
  }),
  Tasks: (row) => ({
    subject: row.text('Subject'),
    startedAt: row.moment('Due_Date'),
    endedAt: row.moment('Closed_Time'),
    notes: row.text('Description'),
    ownerName: row.nameOf('Owner'),
  }),
}

interface RecordSource {
  readonly module: SourceModule
  /** Stages of deals that the pick list calls closed. */
  readonly closedStages: ReadonlySet<string>
}

/** One row of a module in the words of the port. */
export function sourceRecordOf(given: Json, { module, closedStages }: RecordSource): SourceRecord {
  const row = new Row(given)
  const fields = maps[module](row, closedStages)
  return {
    module,
    id: String(given['id']),
    row: null,
    createdAt: row.moment('Created_Time'),
    modifiedAt: row.moment('Modified_Time'),
    url: null,
    person: personOf(module, row),
    parent: module === 'Notes' ? row.link('Parent_Id') : row.link('What_Id'),
    fields,
    customFields: customFieldsOf(module, given),
    warnings: row.warnings,
  }
}

const personFields: Partial<Record<SourceModule, string>> = {
  Deals: 'Contact_Name',
  Cases: 'Related_To',
  Calls: 'Who_Id',
  Events: 'Who_Id',
  Tasks: 'Who_Id',
}

/** `What_Id` names a lead where `Who_Id` is empty: an activity of a lead has no other person. */
function personOf(module: SourceModule, row: Row): SourceLink | null {
  const field = personFields[module]
  if (field === undefined) return null
  const id = row.idOf(field)
  if (id !== null) return { module: 'Contacts', id }
  const link = row.link('What_Id')
  return link !== null && (link.module === 'Leads' || link.module === 'Contacts') ? link : null
}

function customFieldsOf(module: SourceModule, given: Json): Record<string, unknown> {
  const left = new Set(['id', ...commonFields, ...Object.keys(mappedFields[module])])
  // Beside a phone, the number of the mobile phone has no field of its own.
  if (given['Phone']) left.delete('Mobile')
  const entries = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    if (left.has(name) || name.startsWith('$') || value === null || value === '') return []
    return [[name, plainValue(value)]]
  })
  return Object.fromEntries(entries)
}

/** A lookup as its name: an id of the source says nothing to a person here. */
function plainValue(value: unknown): unknown {
  const name = typeof value === 'object' && value !== null ? (value as Json)['name'] : undefined
  return typeof name === 'string' ? name : value
}
