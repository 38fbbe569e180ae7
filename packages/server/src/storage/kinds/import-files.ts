import type { FileSurvey, ImportFile } from '@crmkit/core'
import { computed, defineKindOf } from './define-kind.ts'
import {
  because,
  json,
  moment,
  nullableNumber,
  nullableText,
  number,
  optional,
  reference,
  tenantRow,
  text,
  word,
} from './fields.ts'

/** The findings of one reading of the whole file. */
export interface StoredSurvey extends FileSurvey {
  /** When it begins, or begins again; null when it is over. */
  dueAt: string | null
  /** How often it was begun. */
  takesUp: number
  /** A person has named the encoding: signs that contradict it are warnings of the import. */
  isEncodingGiven?: boolean
  /** Columns with words of an id that are none. */
  notIds: string[]
  /** Rows with a value of each column, in the order of the headers. */
  filled: number[]
  /** The order that the dates of a column prove. */
  dateOrders: (readonly [column: string, order: 'dmy' | 'mdy'])[]
  /** Dates of a column that could be of either order; absent: of an earlier version. */
  eitherDates?: (readonly [column: string, count: number])[]
  /** Words of the columns with a target that takes a few words alone. */
  words: ColumnWords[]
}

export interface ColumnWords {
  column: string
  /** With the rows that have it. */
  list: (readonly [word: string, count: number])[]
}

/** An uploaded file. Its bytes are those of the attachment with the same id, unless it is one of several tables of an archive. */
export interface ImportFileRecord
  extends Omit<
    ImportFile,
    'mapping' | 'columns' | 'rowsRead' | 'outside' | 'updatedAt' | 'survey' | 'sheet' | 'sheets'
  > {
  tenantId: string
  integrationId: string
  /** The attachment with the bytes of the archive that several files were uploaded in. */
  archiveId?: string
  /** Headers of the columns whose values are e-mail addresses; absent: not looked at. */
  emailColumns?: string[]
  /** Digests of the addresses of people who were erased since the upload: no read shows a row that names one. */
  erased?: string[]
  /** Of a workbook. */
  sheet?: string
  sheets?: string[]
  /** Absent: of an earlier version. */
  survey?: StoredSurvey
  /** Absent: it was not changed since the upload. */
  updatedAt?: string
}

/** Returns the id of the attachment with the bytes of a file. */
export function bytesIdOf({ archiveId, _id }: Pick<ImportFileRecord, '_id' | 'archiveId'>): string {
  return archiveId ?? _id
}

/** A survey that is yet to be made, of a file that had one before or none. */
export function newSurvey(
  now: string,
  before?: Pick<StoredSurvey, 'notIds' | 'changed' | 'isEncodingGiven'>,
): StoredSurvey {
  const found = {
    notIds: before?.notIds ?? [],
    changed: before?.changed ?? [],
    ...(before?.isEncodingGiven && { isEncodingGiven: true }),
  }
  return { status: 'running', rows: null, error: null, dueAt: now, takesUp: 0, ...found, ...noFigures }
}

const noFigures: Pick<StoredSurvey, 'filled' | 'dateOrders' | 'words'> = {
  filled: [],
  dateOrders: [],
  words: [],
}

export const importFiles = defineKindOf<ImportFileRecord>()('importFiles', {
  idPrefix: null,
  fields: {
    ...tenantRow,
    integrationId: reference('integrations'),
    archiveId: optional(reference('attachments')),
    module: word('plain'),
    filename: because('the name of a whole export', text('plain')),
    format: word('plain'),
    delimiter: because('the sign between two columns', nullableText('plain')),
    encoding: word('plain'),
    headerRow: nullableNumber('plain'),
    size: number('plain'),
    headers: because('the heads of the columns of a whole export', json('plain', ['E-Mail'])),
    emailColumns: optional(because('the heads of columns of a whole export', json('plain', ['E-Mail']))),
    erased: optional(json('secret', ['a digest'])),
    sheet: optional(because('the name of a sheet of a whole export', text('plain'))),
    sheets: optional(because('the names of the sheets of a whole export', json('plain', ['Sheet1']))),
    survey: optional(
      because(
        'counts, heads of columns, and the words of columns that have a few; it is made again when a person is erased',
        json('plain', newSurvey('2026-01-01T00:00:00.000Z')),
      ),
    ),
    createdAt: moment('plain'),
    updatedAt: optional(moment('plain')),
  },
  computed: {
    surveyDueAt: computed.nullableText(({ survey }: ImportFileRecord) => survey?.dueAt ?? null),
  },
  list: {
    filters: { integrationId: { matches: 'integrationId', index: 'integration' } },
    orders: { createdAt: { by: 'createdAt', isDescending: false } },
    needsOneOf: ['integrationId'],
  },
  acrossTenants: { dueSurveys: { columns: ['surveyDueAt'] } },
  erasure: {
    rows: 'kept',
    why: 'Names of columns; the bytes are removed 7 days after the last run, and reads leave out the rows of erased people.',
  },
  quota: { unlimited: 'an integration has one for each module' },
  retention: 'permanent',
})
