import { SourceFailure, type SourceModule, type SourceRecord } from '../../ports/connector.ts'
import type { Json, ZohoClient } from './zoho-client.ts'

/** A list cuts rich texts to so many characters. */
const listedMax = 500
const idsMax = 200

interface Reading {
  readonly client: ZohoClient
  readonly module: SourceModule
  /** Names of the fields that hold rich texts. */
  readonly richTexts: readonly string[]
  readonly signal: AbortSignal
}

/** Returns the names of the requested fields whose values a list may cut. */
export function richTextsOf(described: readonly Json[] | undefined, names: readonly string[]): string[] {
  const rich = (described ?? []).filter(
    ({ textarea }) => (textarea as Json | null | undefined)?.['type'] === 'rich_text',
  )
  const requested = new Set(names)
  return rich.map((field) => String(field['api_name'])).filter((name) => requested.has(name))
}

/**
 * Replaces the cut texts of these rows by whole ones. Returns the rows, with the ids of those that stay cut because the
 * source refuses whole texts.
 */
export async function withFullTexts(
  { client, module, richTexts, signal }: Reading,
  rows: readonly Json[],
): Promise<{ rows: readonly Json[]; cutIds: ReadonlySet<string> }> {
  const isCut = (row: Json) => richTexts.some((name) => String(row[name] ?? '').length >= listedMax)
  const ids = rows.filter(isCut).map((row) => String(row['id']))
  if (ids.length === 0) return { rows, cutIds: new Set() }
  const whole = new Map<string, Json>()
  for (let at = 0; at < ids.length; at += idsMax) {
    const query = { ids: ids.slice(at, at + idsMax).join(','), fields: richTexts.join(',') }
    for (const row of await readWhole({ client, module, query, signal })) whole.set(String(row['id']), row)
  }
  return {
    rows: rows.map((row) => ({ ...row, ...whole.get(String(row['id'])) })),
    cutIds: new Set(ids.filter((id) => !whole.has(id))),
  }
}

interface Whole extends Omit<Reading, 'richTexts'> {
  readonly query: Readonly<Record<string, string>>
}

async function readWhole({ client, module, query, signal }: Whole): Promise<readonly Json[]> {
  try {
    const path = `/crm/v8/${module}/actions/fetch_full_data`
    const { json } = await client.get({ path, query, signal })
    return (json?.['data'] as readonly Json[] | undefined) ?? []
  } catch (error) {
    // The texts are imported as far as they came. Every other failure is the engine's to repeat.
    if (error instanceof SourceFailure && ['forbidden', 'fatal'].includes(error.kind)) return []
    throw error
  }
}

/** Says of a record that its texts are cut. */
export function withCutWarning(record: SourceRecord): SourceRecord {
  const message = 'a rich text is longer than the source shows'
  return { ...record, warnings: [...record.warnings, { code: 'SOURCE_TRUNCATED', message }] }
}
