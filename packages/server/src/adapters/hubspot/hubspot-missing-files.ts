import type { SourceFields, SourceRecord } from '../../ports/connector.ts'
import { escapeHtml } from '../../shared/escape-html.ts'
import type { Json } from './hubspot-tokens.ts'

/** A text with more names would be a list of files. */
const namesMax = 20
const nameLengthMax = 200

/**
 * Returns a record whose text names the files that the source has beside it: they are not read. A file of a message has a name; the
 * property `hs_attachment_ids` has ids alone.
 */
export function withMissingFiles(
  record: SourceRecord,
  files: { column: string; words: readonly string[]; count: number },
): SourceRecord {
  const { column, words, count } = files
  if (count === 0) return record
  const message = `files of HubSpot are not read: ${count === 1 ? 'one file is' : `${count} files are`} missing`
  return {
    ...record,
    fields: withWords(record.fields, words),
    warnings: [...record.warnings, { code: 'ATTACHMENT_MISSING', message, column }],
  }
}

function withWords(fields: SourceFields, words: readonly string[]): SourceFields {
  const name = 'content' in fields ? 'content' : 'notes'
  const text = fields[name]
  const named = words.map((word) => `[${word}: not in the import]`)
  if (!text) return { ...fields, [name]: named.join('\n'), isHtml: false }
  const added = fields.isHtml ? named.map((one) => `<p>${escapeHtml(one)}</p>`) : ['', ...named]
  return { ...fields, [name]: [text, ...added].join('\n') }
}

/** The files of the property, which is a list of ids with semicolons. */
export function filesOfProperty(values: Json) {
  const column = 'hs_attachment_ids'
  const given = values[column]
  const count = typeof given === 'string' ? given.split(';').filter((id) => id.trim() !== '').length : 0
  return { column, words: [count === 1 ? '1 file' : `${count} files`], count }
}

/** The files of a message of a thread: `PublicFile` of the document of conversations, version 2026-09. */
export function filesOfMessage({ attachments }: Json) {
  const files = ((attachments as readonly Json[] | undefined) ?? []).filter(({ type }) => type === 'FILE')
  const shown = files.slice(0, namesMax).map(({ name }) => nameOf(name))
  const others = files.length - shown.length
  const words = others > 0 ? [...shown, `${others} further files`] : shown
  return { column: 'attachments', words, count: files.length }
}

function nameOf(name: unknown): string {
  return typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, nameLengthMax) : 'a file'
}
