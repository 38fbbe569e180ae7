import type { ExportFormat } from '@crmkit/core'
import { csvLine } from '../shared/csv-line.ts'
import { exportContentTypes, inChunks } from '../shared/file-chunks.ts'
import type { Download } from './stream-handler.ts'

type Row = Readonly<Record<string, unknown>>

/** A part of a person's data: one record, or any number of records, which are read while they are sent. */
export type ExportSection = { name: string } & ({ row: Row } | { rows: () => AsyncIterable<Row> })

export interface PersonalExport {
  exportedAt: string
  subject: Row & { readonly type: string; readonly _id: string }
  sections: readonly ExportSection[]
}

/** Returns a person's data as a file. Memory holds only the part that is being sent, however long the file is. */
export function exportFile(format: ExportFormat, made: PersonalExport): Omit<Download, 'audit'> {
  const write = format === 'json' ? writeJson : writeCsv
  return {
    logName: `export of ${made.subject.type} ${made.subject._id}`,
    filename: `data-export-${made.exportedAt.slice(0, 10)}.${format}`,
    contentType: exportContentTypes[format],
    open: async () => inChunks(write(made)),
  }
}

async function* writeJson({ exportedAt, subject, sections }: PersonalExport): AsyncGenerator<string> {
  yield `{"exportedAt":${JSON.stringify(exportedAt)},"subject":${JSON.stringify(subject)}`
  for (const section of sections) {
    yield `,\n${JSON.stringify(section.name)}:`
    if ('row' in section) {
      yield JSON.stringify(section.row)
      continue
    }
    let separator = '['
    for await (const row of section.rows()) {
      yield `${separator}\n${JSON.stringify(row)}`
      separator = ','
    }
    yield separator === '[' ? '[]' : '\n]'
  }
  yield '}\n'
}

/** Writes one line for each value, so that a reader need not know the fields in advance. */
async function* writeCsv({ exportedAt, subject, sections }: PersonalExport): AsyncGenerator<string> {
  yield csvLine(['section', 'record', 'field', 'value'])
  yield csvLine(['export', '1', 'exportedAt', exportedAt])
  yield linesOf({ section: 'subject', record: '1' }, subject)
  for (const section of sections) {
    const { name } = section
    let count = 0
    const rows = 'row' in section ? [section.row] : section.rows()
    for await (const row of rows) {
      count += 1
      yield linesOf({ section: name, record: recordName(row, count) }, row)
    }
  }
}

/** Returns the record's id, so that a line can be traced, or its number in the section. */
function recordName({ _id }: Row, number: number): string {
  return typeof _id === 'string' ? _id : `${number}`
}

function linesOf({ section, record }: { section: string; record: string }, row: Row): string {
  return cellsOf(row, '')
    .map(([field, value]) => csvLine([section, record, field, value]))
    .join('')
}

/** Returns the cells of a value. Fields of objects become paths; a list stays one cell. */
function cellsOf(value: unknown, path: string): [string, string][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, textOf(value)]]
  const members = Object.entries(value)
  if (members.length === 0) return [[path, '{}']]
  return members.flatMap(([name, member]) => cellsOf(member, path === '' ? name : `${path}.${name}`))
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
