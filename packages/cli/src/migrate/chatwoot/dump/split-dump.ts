import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cells, linesOf, rowsOfDump } from './copy-blocks.ts'
import { dumpRefused } from './dump-refused.ts'

/**
 * The tables that the reader uses, with their columns: nothing else of the dump is written to the disk again, so no password of a mail
 * server and no token is.
 */
export const wantedColumns = {
  accounts: ['id', 'name'],
  account_users: ['account_id', 'user_id', 'role'],
  users: ['id', 'name', 'display_name', 'email'],
  inboxes: ['id', 'account_id', 'name', 'channel_id', 'channel_type'],
  channel_email: ['id', 'account_id', 'email'],
  channel_sms: ['id', 'account_id', 'phone_number'],
  channel_twilio_sms: ['id', 'account_id', 'phone_number', 'medium'],
  channel_whatsapp: ['id', 'account_id', 'phone_number'],
  channel_voice: ['id', 'account_id', 'phone_number'],
  labels: ['id', 'account_id', 'title', 'color'],
  canned_responses: ['id', 'account_id', 'short_code', 'content'],
  custom_attribute_definitions: ['account_id', 'attribute_key', 'attribute_display_name', 'attribute_model'],
  tags: ['id', 'name'],
  taggings: ['tag_id', 'taggable_type', 'taggable_id', 'context'],
  agent_bots: ['id', 'name'],
  contacts: [
    'id',
    'account_id',
    'name',
    'email',
    'phone_number',
    'identifier',
    'blocked',
    'created_at',
    'additional_attributes',
    'custom_attributes',
  ],
  notes: ['id', 'account_id', 'contact_id', 'user_id', 'content', 'created_at'],
  conversations: [
    'id',
    'account_id',
    'display_id',
    'inbox_id',
    'contact_id',
    'assignee_id',
    'status',
    'priority',
    'created_at',
    'updated_at',
    'last_activity_at',
    'snoozed_until',
    'first_reply_created_at',
    'additional_attributes',
    'custom_attributes',
  ],
  messages: [
    'id',
    'account_id',
    'conversation_id',
    'message_type',
    'private',
    'status',
    'source_id',
    'sender_type',
    'sender_id',
    'content',
    'content_attributes',
    'created_at',
  ],
  attachments: [
    'id',
    'account_id',
    'message_id',
    'file_type',
    'external_url',
    'fallback_title',
    'coordinates_lat',
    'coordinates_long',
  ],
  active_storage_attachments: ['name', 'record_type', 'record_id', 'blob_id'],
  active_storage_blobs: ['id', 'key', 'filename', 'content_type', 'byte_size'],
  csat_survey_responses: ['id', 'account_id', 'conversation_id', 'rating', 'feedback_message', 'created_at'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type TableName = keyof typeof wantedColumns

/** A row with the columns that the dump has. */
export type DumpRow = Readonly<Record<string, string | null | undefined>>

const demanded: readonly TableName[] = ['accounts', 'contacts', 'conversations', 'messages', 'users']
/** Conversations and their messages are read in parts that memory can hold. */
const bytesOfPartDefault = 8 * 1024 * 1024
const partsMax = 200

export interface SplitDump {
  /** The newest change in the dump: a later pass reads what changed since. */
  readonly newestAt: string
  readonly parts: number
  rowsOf(table: TableName): AsyncIterable<DumpRow>
  readTable(table: TableName): Promise<DumpRow[]>
  /** Conversations, or messages, of a part: those of one conversation are in one part. */
  readPart(table: 'conversations' | 'messages', part: number): Promise<DumpRow[]>
  remove(): Promise<void>
}

/** Divides the rows of one account of a dump into files, which are read in the order that a package needs. */
export async function splitDump(
  {
    file,
    account,
    bytesOfPart = bytesOfPartDefault,
  }: { file: string; account: string; bytesOfPart?: number },
  folder: string,
): Promise<SplitDump> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  const parts = Math.min(Math.max(1, Math.ceil(size / bytesOfPart)), partsMax)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700, recursive: true })
  const { newest, seen, hasAccount } = await divide({ file, account, parts }, folder)
  const lacking = demanded.find((table) => !seen.has(table))
  if (lacking !== undefined)
    throw dumpRefused(`it has no table ${lacking}, so it is no whole one of Chatwoot`)
  if (!hasAccount) throw dumpRefused(`it has no account ${account}`)
  const read = (table: TableName, part?: number) => rowsOfFile(join(folder, nameOf(table, part)))
  return {
    newestAt: isoOf(newest) ?? new Date().toISOString(),
    parts,
    rowsOf: (table) => read(table),
    readTable: (table) => collected(read(table)),
    readPart: (table, part) => collected(read(table, part)),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

interface Divided {
  newest: string
  seen: ReadonlySet<string>
  hasAccount: boolean
}

async function divide(
  { file, account, parts }: { file: string; account: string; parts: number },
  folder: string,
): Promise<Divided> {
  const files = new Files(folder)
  const seen = new Set<string>()
  let hasAccount = false
  let newest = ''
  try {
    for await (const { table, cells } of rowsOfDump(file, (name) => seen.add(name) && isWanted(name))) {
      if (!(isWanted(table) && isOfAccount(table, cells, account))) continue
      hasAccount ||= table === 'accounts'
      newest = newerOf(newest, table, cells)
      files.add(nameOf(table, partOf(table, cells, parts)), rowOf(table, cells))
    }
  } finally {
    files.close()
  }
  return { newest, seen, hasAccount }
}

/** Times of a dump are texts of one form. */
function newerOf(newest: string, table: TableName, cells: Cells): string {
  if (table !== 'conversations' && table !== 'messages') return newest
  const at = cells.get('last_activity_at') ?? cells.get('created_at') ?? ''
  return at > newest ? at : newest
}

function isWanted(table: string): table is TableName {
  return Object.hasOwn(wantedColumns, table)
}

function isOfAccount(table: TableName, cells: Cells, account: string): boolean {
  if (table === 'accounts') return cells.get('id') === account
  return !cells.has('account_id') || cells.get('account_id') === account || table === 'agent_bots'
}

function partOf(table: TableName, cells: Cells, parts: number): number | undefined {
  if (table === 'conversations') return Number(cells.get('id')) % parts
  return table === 'messages' ? Number(cells.get('conversation_id')) % parts : undefined
}

function nameOf(table: TableName, part: number | undefined): string {
  return part === undefined ? table : `${table}-${part}`
}

function rowOf(table: TableName, cells: Cells): DumpRow {
  return Object.fromEntries(wantedColumns[table].map((name) => [name, cells.get(name)]))
}

/** Times of a dump have no zone: they are UTC. */
export function isoOf(text: string | null | undefined): string | undefined {
  const at = Date.parse(`${(text ?? '').replace(' ', 'T')}Z`)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

async function* rowsOfFile(path: string): AsyncGenerator<DumpRow> {
  if (!existsSync(path)) return
  for await (const line of linesOf(path)) yield JSON.parse(line) as DumpRow
}

async function collected(rows: AsyncIterable<DumpRow>): Promise<DumpRow[]> {
  const all: DumpRow[] = []
  for await (const row of rows) all.push(row)
  return all
}

const flushAt = 64 * 1024

/** Files that are written line by line at the same time. */
class Files {
  readonly #folder: string
  readonly #files = new Map<string, { descriptor: number; lines: string[]; length: number }>()

  constructor(folder: string) {
    this.#folder = folder
  }

  add(name: string, row: DumpRow): void {
    const file = this.#files.get(name) ?? this.#open(name)
    const line = `${JSON.stringify(row)}\n`
    file.lines.push(line)
    file.length += line.length
    if (file.length >= flushAt) flush(file)
  }

  #open(name: string) {
    const file = { descriptor: openSync(join(this.#folder, name), 'w', 0o600), lines: [], length: 0 }
    this.#files.set(name, file)
    return file
  }

  close(): void {
    for (const file of this.#files.values()) {
      flush(file)
      closeSync(file.descriptor)
    }
  }
}

function flush(file: { descriptor: number; lines: string[]; length: number }): void {
  if (file.lines.length > 0) writeFileSync(file.descriptor, file.lines.join(''))
  file.lines = []
  file.length = 0
}
