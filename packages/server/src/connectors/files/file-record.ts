import { isEmail, splitName } from '@crmkit/core'
import { normalizeEmail } from '@crmkit/core/vocabulary'
import type {
  SameIdRow,
  SourceAuthor,
  SourceFields,
  SourceModule,
  SourceRecord,
} from '../../ports/connector.ts'
import { foldedName } from '../person-names.ts'
import type { GivenWords } from './choice-words.ts'
import type { FileRow } from './file-rows.ts'
import { type DateRules, RowReader } from './row-reader.ts'
import { type ColumnTargets, moduleOfIds } from './suggest-mapping.ts'

interface RecordParts {
  targets: ColumnTargets
  rules: DateRules
  /** The meanings that a person gave to words of choices. */
  words: GivenWords
  /** Makes the ids of a row without one, the best first; a person is known by e-mail address and name. */
  idsOf: (person: RowPerson | null) => readonly [string, ...string[]]
  /** Notes the id of a row, and returns the rows before it that have it. */
  sameIdOf: (id: string) => readonly SameIdRow[]
}

/** Turns a row into a record by the targets of its columns. */
export function recordOfRow(module: SourceModule, row: FileRow, parts: RecordParts): SourceRecord {
  const reader = new RowReader(module, row, parts)
  const emailName = reader.columnOf('email')
  const createdAt = reader.moment('createdAt')
  const customerId = reader.text('customerId')
  const fields = fieldsOf(module, reader)
  const record: Omit<SourceRecord, 'customFields' | 'warnings'> = {
    module,
    ...idOf(module, reader, parts),
    row: row.row,
    createdAt,
    modifiedAt: reader.moment('updatedAt'),
    url: null,
    person: customerId === null ? null : { module: 'Contacts', id: customerId },
    ...(customerId === null && { personEmail: reader.text('customerEmail') }),
    parent: parentOf(reader),
    author: module === 'Notes' ? authorOf(reader) : null,
    fields,
  }
  for (const target of unusedBeside) reader.keepUnused(target)
  return {
    ...record,
    customFields: reader.customFields(),
    ...(emailName !== undefined && { emailName }),
    warnings: reader.warnings,
    cells: reader.uses(),
    columns: reader.columns(),
  }
}

/** Targets of which a record uses one beside another, or the first of several. */
const unusedBeside = ['phone', 'fullName', 'customerEmail'] as const

/** A spreadsheet writes a long number so, and its last digits are lost. */
export const roundedId = /^\d(?:[.,]\d+)?E\+\d+$/i

function idOf(
  module: SourceModule,
  reader: RowReader,
  { idsOf, sameIdOf }: RecordParts,
): Pick<SourceRecord, 'id' | 'otherIds' | 'sameId'> {
  const id = reader.text('id')
  const column = reader.columnOf('id')
  if (id === null || column === undefined) {
    const [first, ...others] = idsOf(personOf(module, reader))
    return { id: first, ...(others.length > 0 && { otherIds: others }) }
  }
  if (roundedId.test(id)) {
    const message = 'a spreadsheet has rounded the ids: export them as texts'
    reader.warnings.push({ code: 'ROUNDED_ID', message, column, isCounted: true })
  }
  return { id, sameId: { column, rows: sameIdOf(id) } }
}

/** The parts of a row by which a person without an id is known again. */
export interface RowPerson {
  email: string
  name: string
}

function personOf(module: SourceModule, reader: RowReader): RowPerson | null {
  const email = module === 'Contacts' || module === 'Leads' ? reader.text('email') : null
  if (email === null || !isEmail(email)) return null
  const { firstName = null, lastName = null } = nameFields(reader)
  return { email: normalizeEmail(email), name: foldedName({ firstName, lastName }) }
}

const parentModules: readonly (readonly [SourceModule, RegExp])[] = [
  ['Contacts', /^(contact|customer|person)s?$/],
  ['Leads', /^leads?$/],
  ['Deals', /^(deal|opportunit(y|ie))s?$/],
  ['Cases', /^(case|ticket)s?$/],
]

/** The module of a parent is in its own column, else in the name of the column with its id. */
function parentOf(reader: RowReader): SourceRecord['parent'] {
  const id = reader.text('parentId')
  if (id === null) return null
  const word = reader.text('parentModule') ?? moduleOfIds(reader.columnOf('parentId') ?? '') ?? 'contacts'
  const found = parentModules.find(([, words]) => words.test(word.toLowerCase()))
  return found === undefined ? null : { module: found[0], id }
}

function fieldsOf(module: SourceModule, reader: RowReader): SourceFields {
  if (module === 'Contacts' || module === 'Leads') return personFields(reader)
  if (module === 'Notes') return noteFields(reader)
  if (module === 'Calls') return callFields(reader)
  // The word of the stage is kept beside the one of the status.
  const stage = reader.choice('stage', 'open')
  return {
    subject: reader.text('subject'),
    status: reader.text('status') === null ? stage : reader.choice('status', 'open'),
    priority: reader.choice('priority', 'medium'),
    channel: reader.choice('channel', 'email'),
    description: reader.lines('description'),
    tags: reader.list('labels'),
    closedAt: reader.moment('closedAt'),
  }
}

/** Words for the authors and the readers of a message. */
const roles: Readonly<Record<'customer' | 'agent', readonly string[]>> = {
  customer: [
    'customer',
    'user',
    'end-user',
    'enduser',
    'contact',
    'client',
    'requester',
    'visitor',
    'kunde',
    'cliente',
  ],
  agent: [
    'agent',
    'admin',
    'administrator',
    'staff',
    'teammate',
    'employee',
    'owner',
    'support',
    'mitarbeiter',
  ],
}
const readByCustomer = ['true', 'yes', '1', 'public', 'ja', 'oui', 'si', 'sí', 'sim', 'öffentlich']
const directions = {
  inbound: ['inbound', 'incoming', 'in', 'received'],
  outbound: ['outbound', 'outgoing', 'out', 'sent'],
}

function authorOf(reader: RowReader): SourceAuthor | null {
  const word = reader.text('authorType')?.toLowerCase() ?? ''
  const direction = directionOf(reader)
  const byDirection = direction === 'inbound' ? 'customer' : direction === 'outbound' ? 'agent' : null
  const role = roles.customer.includes(word) ? 'customer' : roles.agent.includes(word) ? 'agent' : byDirection
  const author: SourceAuthor = {
    id: reader.text('authorId'),
    email: reader.text('authorEmail'),
    name: reader.text('authorName'),
    role,
  }
  return author.id === null && author.email === null && author.name === null && role === null ? null : author
}

function directionOf(reader: RowReader): 'inbound' | 'outbound' | null {
  const word = reader.text('direction')?.toLowerCase() ?? ''
  if (directions.inbound.includes(word)) return 'inbound'
  return directions.outbound.includes(word) ? 'outbound' : null
}

/** A note is a reply where the file says who could read it, or where it went. */
function noteFields(reader: RowReader): SourceFields {
  const word = reader.text('isPublic')?.toLowerCase()
  const isReply = word === undefined ? directionOf(reader) !== null : readByCustomer.includes(word)
  return { title: reader.text('title'), content: reader.lines('content'), isReply }
}

/** A whole name is divided where the file has no parts of it. */
function nameFields(reader: RowReader): Pick<SourceFields, 'firstName' | 'lastName'> {
  const parts = { firstName: reader.text('firstName'), lastName: reader.text('lastName') }
  if (parts.firstName !== null || parts.lastName !== null) return parts
  const whole = reader.text('fullName')
  if (whole === null) return parts
  const [last = '', first = ''] = whole.split(/,(.*)/)
  if (first.trim() !== '') return { firstName: first.trim(), lastName: last.trim() }
  return whole.includes(' ') ? splitName(whole) : { firstName: null, lastName: whole }
}

function personFields(reader: RowReader): SourceFields {
  return {
    ...nameFields(reader),
    email: reader.text('email'),
    secondaryEmails: reader.list('secondaryEmail'),
    phone: reader.text('phone'),
    secondaryPhones: reader.others('phone'),
    company: reader.text('company'),
    jobTitle: reader.text('jobTitle'),
    tags: reader.list('tags'),
  }
}

function callFields(reader: RowReader): SourceFields {
  const type = reader.choice('callType', 'outbound')
  return {
    subject: reader.text('subject'),
    direction: type === 'inbound' ? 'inbound' : 'outbound',
    isMissed: type === 'missed',
    startedAt: reader.moment('startedAt'),
    durationSeconds: reader.number('durationSeconds'),
  }
}
