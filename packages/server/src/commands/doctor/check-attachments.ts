import { setImmediate as nextTick } from 'node:timers/promises'
import { openAttachments } from '../../main/compose/parts.ts'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import type { ExaminedRows, Finding } from '../../ports/diagnosis.ts'
import type { RowRef } from '../../ports/storage-transfer.ts'
import type { Check } from './check.ts'

/** The number of rows, and of files, that are examined without `--all`. */
const sampleMax = 1_000
const namedMax = 5

interface Sources {
  rows: ExaminedRows
  store: AttachmentStore
  limit: number
}

interface Examination {
  examined: number
  bad: string[]
}

/** Finds stored attachments whose bytes are missing or have another size than their row says. */
async function examineRows({ rows, store, limit }: Sources): Promise<Examination> {
  const bad: string[] = []
  let examined = 0
  for (let after: RowRef | null = null; examined < limit; ) {
    const page = await rows.readPage('attachments', after)
    const last = page.at(-1)
    if (last === undefined) break
    for (const { tenantId, id, record } of page.slice(0, limit - examined)) {
      examined += 1
      // The bytes of an upload arrive after its row, and those of an erased attachment are removed before it.
      if (record['state'] !== 'stored' || record['erasedAt'] !== null) continue
      const size = await store.sizeOf({ tenantId, id })
      if (size === undefined) bad.push(`${id} (no bytes)`)
      else if (size !== record['size']) bad.push(`${id} (${size} bytes instead of ${record['size']})`)
    }
    after = last
  }
  return { examined, bad }
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
    if (examined === limit) break
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

function rowsFinding({ examined, bad }: Examination, total: number): Finding {
  const part = examined < total ? `the first ${examined} of ${total}` : `all ${total}`
  if (bad.length === 0)
    return { outcome: 'ok', sentence: `The bytes of ${part} attachments are stored in full.` }
  return {
    outcome: 'problem',
    sentence: `Of ${part} attachments, ${bad.length} have no bytes or too few: ${namesOf(bad)}.`,
    mend: 'Copy the files of these ids from the last backup to the directory attachments beside the database',
  }
}

function bytesFinding({ bad }: Examination): Finding {
  if (bad.length === 0) return { outcome: 'ok', sentence: 'No bytes are stored without an attachment.' }
  return {
    outcome: 'warning',
    sentence: `The bytes of ${bad.length} attachments have no row: ${namesOf(bad)}.`,
    mend: 'They cost disk space only: an earlier database was restored, or lost changes (docs/reliability.md). Compare with the backups before you delete them',
  }
}

export const checkAttachments: Check = {
  subject: 'attachments',
  readsRows: true,
  async run({ config, database: { rows }, isThorough }) {
    if (rows === undefined) return []
    const store = await openAttachments(config.databaseUrl)
    try {
      const sources = { rows, store, limit: isThorough ? Number.POSITIVE_INFINITY : sampleMax }
      const total = await rows.count('attachments')
      return [rowsFinding(await examineRows(sources), total), bytesFinding(await examineBytes(sources))]
    } finally {
      await store.close()
    }
  },
}
