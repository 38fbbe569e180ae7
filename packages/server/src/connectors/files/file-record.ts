import type { SameIdRow, SourceFields, SourceModule, SourceRecord } from '../../ports/connector.ts'
import type { FileRow } from './file-rows.ts'
import { type DateRules, RowReader } from './row-reader.ts'
import { type ColumnTargets, moduleOfIds } from './suggest-mapping.ts'

interface RecordParts {
  targets: ColumnTargets
  rules: DateRules
  /** Makes the id of a row without one. */
  idOf: () => string
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
  return {
    module,
    ...idOf(reader, parts),
    row: row.row,
    createdAt,
    modifiedAt: null,
    url: null,
    person: customerId === null ? null : { module: 'Contacts', id: customerId },
    parent: parentOf(reader),
    fields,
    customFields: reader.customFields(),
    ...(emailName !== undefined && { emailName }),
    warnings: reader.warnings,
  }
}

/** A spreadsheet writes a long number so, and its last digits are lost. */
const roundedId = /^\d(?:[.,]\d+)?E\+\d+$/i

function idOf(reader: RowReader, { idOf, sameIdOf }: RecordParts): Pick<SourceRecord, 'id' | 'sameId'> {
  const id = reader.text('id')
  const column = reader.columnOf('id')
  if (id === null || column === undefined) return { id: idOf() }
  if (roundedId.test(id)) {
    const message = 'a spreadsheet has rounded the ids: export them as texts'
    reader.warnings.push({ code: 'ROUNDED_ID', message, column, isCounted: true })
  }
  return { id, sameId: { column, rows: sameIdOf(id) } }
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
  if (module === 'Notes') return { title: reader.text('title'), content: reader.lines('content') }
  if (module === 'Calls') return callFields(reader)
  // The word of the stage is kept beside the one of the status.
  const stage = reader.choice('stage', 'open')
  return {
    subject: reader.text('subject'),
    status: reader.text('status') === null ? stage : reader.choice('status', 'open'),
    priority: reader.choice('priority', 'medium'),
    channel: reader.choice('channel', 'email'),
    description: reader.lines('description'),
  }
}

function personFields(reader: RowReader): SourceFields {
  return {
    firstName: reader.text('firstName'),
    lastName: reader.text('lastName'),
    email: reader.text('email'),
    secondaryEmails: reader.list('secondaryEmail'),
    phone: reader.text('phone'),
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
