import { setImmediate as nextTick } from 'node:timers/promises'
import { openAttachments } from '../../main/compose/databases.ts'
import type { Config } from '../../main/config/config.ts'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import type { ExaminedRows, Finding } from '../../ports/diagnosis.ts'
import type { RowRef } from '../../ports/storage-transfer.ts'
import { digestOfBytes } from '../../shared/digest-of-bytes.ts'
import { rowsOf } from '../../shared/rows-of.ts'
import type { AttachmentRecord } from '../../storage/kinds/attachments.ts'
import type { Check } from './check.ts'

/** Rows, files and bytes that are examined without `--all`. */
const sampleMax = { rows: 1_000, bytes: 256 * 1024 * 1024 }
const everything = { rows: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }
const namedMax = 5

interface Sources {
  rows: ExaminedRows
  store: AttachmentStore
  limit: { rows: number; bytes: number }
  /** Where the bytes are, in words for the operator. */
  place: string
}

type Row = Awaited<ReturnType<ExaminedRows['readPage']>>[number]

interface Examination {
  examined: number
  bad: string[]
}

interface ExaminedAttachments extends Examination {
  stored: number
  /** Stored attachments whose checksum was compared. */
  read: number
  /** Uploads under way, and those that an end of the process has cut. */
  unfinished: string[]
}

/** Finds stored attachments whose bytes are missing, or are others than their row says. */
async function examineRows({ rows, store, limit }: Sources): Promise<ExaminedAttachments> {
  const found: ExaminedAttachments = { examined: 0, bad: [], stored: 0, read: 0, unfinished: [] }
  let bytesLeft = limit.bytes
  for await (const row of rowsOf(rows, 'attachments', { rowsMax: limit.rows })) {
    found.examined += 1
    bytesLeft -= await examineRow(row, { store, found, bytesLeft })
  }
  return found
}

interface Progress {
  store: AttachmentStore
  found: ExaminedAttachments
  bytesLeft: number
}

/** Returns how many bytes were read. */
async function examineRow({ tenantId, id, record }: Row, { store, found, bytesLeft }: Progress) {
  const { state, erasedAt, size, sha256 } = record as unknown as AttachmentRecord
  // The bytes of an erased attachment are removed before its row.
  if (erasedAt !== null) return 0
  if (state !== 'stored') {
    found.unfinished.push(id)
    return 0
  }
  found.stored += 1
  const isRead = size <= bytesLeft
  const wrong = await wrongBytes(store, { key: { tenantId, id }, size, sha256: isRead ? sha256 : null })
  if (wrong !== undefined) found.bad.push(`${id} (${wrong})`)
  else if (isRead) found.read += 1
  return isRead ? size : 0
}

/** Returns what is wrong with the bytes of an attachment; without a checksum they are not read. */
async function wrongBytes(
  store: AttachmentStore,
  { key, size, sha256 }: { key: RowRef; size: number; sha256: string | null },
): Promise<string | undefined> {
  const found = await store.sizeOf(key)
  if (found === undefined) return 'no bytes'
  if (found !== size) return `${found} bytes instead of ${size}`
  return sha256 !== null && (await digestOfBytes(store, key)) !== sha256 ? 'other bytes' : undefined
}

const batchSize = 200

/** Finds bytes without a row. A row is written before its bytes and deleted after them. */
async function examineBytes({ rows, store, limit }: Sources): Promise<Examination> {
  const bad: string[] = []
  let examined = 0
  let batch: RowRef[] = []
  const examineBatch = async () => {
    const missing = await rows.findMissing('attachments', batch)
    bad.push(...missing.map(({ id }) => id))
    batch = []
    await nextTick()
  }
  for await (const key of store.list()) {
    if (examined === limit.rows) break
    examined += 1
    batch.push(key)
    if (batch.length === batchSize) await examineBatch()
  }
  await examineBatch()
  return { examined, bad }
}

function namesOf(bad: readonly string[]): string {
  const more = bad.length > namedMax ? ` and ${bad.length - namedMax} more` : ''
  return bad.slice(0, namedMax).join(', ') + more
}

function rowsFindings(
  found: ExaminedAttachments,
  { total, place }: { total: number; place: string },
): Finding[] {
  const { examined, bad, stored, read, unfinished } = found
  const part = examined < total ? `${stored} of the first ${examined} of ${total}` : `all ${stored}`
  const cut: Finding = {
    outcome: 'ok',
    sentence: `${unfinished.length} uploads are under way or were cut: ${namesOf(unfinished)}. What was cut is removed within two hours.`,
  }
  const whole: Finding =
    bad.length === 0
      ? {
          outcome: 'ok',
          sentence: `The bytes of ${part} attachments are stored in full, and ${read} have their checksum.`,
        }
      : {
          outcome: 'problem',
          sentence: `Of ${part} attachments, ${bad.length} have no bytes, too few or others: ${namesOf(bad)}.`,
          mend: `Copy the files of these ids from the last backup to ${place}`,
        }
  return unfinished.length === 0 ? [whole] : [whole, cut]
}

async function strayFindings({ store, limit, place }: Sources): Promise<Finding[]> {
  const strays: string[] = []
  for await (const name of store.listStrays()) {
    strays.push(name)
    if (strays.length === limit.rows) break
  }
  if (strays.length === 0) return []
  return [
    {
      outcome: 'warning',
      sentence: `${strays.length} files in ${place} are none of the service: ${namesOf(strays)}.`,
      mend: 'Move them away: the service never reads or removes them, and a backup does not hold them',
    },
  ]
}

function bytesFinding({ bad }: Examination): Finding {
  if (bad.length === 0) return { outcome: 'ok', sentence: 'No bytes are stored without an attachment.' }
  return {
    outcome: 'warning',
    sentence: `The bytes of ${bad.length} attachments have no row: ${namesOf(bad)}.`,
    mend: 'They cost disk space only: an earlier database was restored, or lost changes (docs/reliability.md). Compare with the backups before you delete them',
  }
}

function placeOf({ attachments }: Config): string {
  const [path] = attachments?.address.split('?', 1) ?? []
  return path ?? 'the directory attachments beside the database'
}

export const checkAttachments: Check = {
  subject: 'attachments',
  readsRows: true,
  async run({ config, database: { rows }, isThorough }) {
    if (rows === undefined) return []
    const store = await openAttachments(config)
    try {
      const place = placeOf(config)
      const sources = { rows, store, place, limit: isThorough ? everything : sampleMax }
      const total = await rows.count('attachments')
      return [
        ...rowsFindings(await examineRows(sources), { total, place }),
        bytesFinding(await examineBytes(sources)),
        ...(await strayFindings(sources)),
      ]
    } finally {
      await store.close()
    }
  },
}
