import {
  SourceFailure,
  type SourceModule,
  type SourcePage,
  type SourcePosition,
  type SourceRecord,
  type SourceWindow,
} from '../../ports/connector.ts'
import type { Json, ZohoClient } from './zoho-client.ts'
import { fieldNames } from './zoho-fields.ts'
import { sourceRecordOf } from './zoho-mapping.ts'
import { pageSize, type RawPage, readPage } from './zoho-pages.ts'

const parentModules = ['Contacts', 'Leads', 'Deals', 'Cases'] as const
const openWindow: SourceWindow = { since: null, before: null }

interface ByParent extends SourcePosition {
  readonly byParent: true
  readonly parentModule: (typeof parentModules)[number]
  /** The position in the list of parents. */
  readonly parents: SourcePosition | null
}

interface Reading {
  readonly client: ZohoClient
  readonly window: SourceWindow
  readonly signal: AbortSignal
}

export function isByParent(position: SourcePosition | null): boolean {
  return position?.['byParent'] === true
}

/** Only admins may list all notes. Reads the notes of each record instead, one request for each. */
export async function* notesByParent(
  reading: Reading,
  from: SourcePosition | null,
): AsyncGenerator<SourcePage> {
  let position: ByParent | null = (from as ByParent | null) ?? {
    byParent: true,
    parentModule: 'Contacts',
    parents: null,
  }
  while (position !== null) {
    const { rows, next, sourceTime } = await readParents(reading, position)
    const notes: SourceRecord[] = []
    for (const row of rows) notes.push(...(await notesOf(reading, position.parentModule, String(row['id']))))
    const inside = notes.filter((note) => isInWindow(note, reading.window))
    const following: ByParent | null = next === null ? nextModule(position) : { ...position, parents: next }
    // A page of notes before the last one repeats its parents after a crash.
    for (let at = 0; at < inside.length - pageSize; at += pageSize) {
      yield { records: inside.slice(at, at + pageSize), next: position, sourceTime }
    }
    const atLast = Math.max(0, Math.ceil(inside.length / pageSize) - 1) * pageSize
    yield { records: inside.slice(atLast), next: following, sourceTime }
    position = following
  }
}

/** A module that this grant cannot read has no parents. */
async function readParents({ client, signal }: Reading, position: ByParent): Promise<RawPage> {
  const listing = {
    client,
    module: position.parentModule,
    fields: ['Modified_Time'],
    window: openWindow,
    signal,
  }
  try {
    return await readPage(listing, position.parents)
  } catch (error) {
    if (error instanceof SourceFailure && error.kind === 'forbidden')
      return { rows: [], next: null, sourceTime: null }
    throw error
  }
}

function nextModule({ parentModule }: ByParent): ByParent | null {
  const next = parentModules[parentModules.indexOf(parentModule) + 1]
  return next === undefined ? null : { byParent: true, parentModule: next, parents: null }
}

async function notesOf(
  { client, signal }: Reading,
  module: SourceModule,
  id: string,
): Promise<SourceRecord[]> {
  const notes: SourceRecord[] = []
  const fields = fieldNames('Notes', undefined).join(',')
  let hasMore = true
  for (let page = 1; hasMore; page++) {
    const path = `/crm/v8/${module}/${encodeURIComponent(id)}/Notes`
    const { json } = await client.get({ path, query: { fields, page, per_page: pageSize }, signal })
    for (const row of (json?.['data'] as readonly Json[] | undefined) ?? []) {
      const withParent = { ...row, Parent_Id: { id, module: { api_name: module } } }
      notes.push(sourceRecordOf(withParent, { module: 'Notes', closedStages: new Set() }))
    }
    hasMore = (json?.['info'] as Json | undefined)?.['more_records'] === true
  }
  return notes
}

function isInWindow({ modifiedAt }: SourceRecord, { since, before }: SourceWindow): boolean {
  if (modifiedAt === null) return true
  return (since === null || modifiedAt >= since) && (before === null || modifiedAt < before)
}
