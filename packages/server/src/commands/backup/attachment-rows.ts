import type { ExaminedRows } from '../../ports/diagnosis.ts'
import type { RowRef } from '../../ports/storage-transfer.ts'

export interface StoredAttachment {
  tenantId: string
  id: string
  size: number
  sha256: string
}

/** Every attachment whose bytes are complete. Others are being uploaded or removed, and nobody can read them. */
export async function* storedAttachments(rows: ExaminedRows): AsyncGenerator<StoredAttachment> {
  for (let after: RowRef | null = null; ; ) {
    const page = await rows.readPage('attachments', after)
    for (const { tenantId, id, record } of page) {
      if (record['state'] !== 'stored' || record['erasedAt'] !== null) continue
      yield { tenantId, id, size: Number(record['size']), sha256: String(record['sha256']) }
    }
    const last = page.at(-1)
    if (last === undefined) return
    after = last
  }
}
