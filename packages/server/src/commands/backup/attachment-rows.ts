import type { ExaminedRows } from '../../ports/diagnosis.ts'
import { rowsOf } from '../../shared/rows-of.ts'

export interface StoredAttachment {
  tenantId: string
  id: string
  size: number
  sha256: string
}

/** Every attachment whose bytes are complete. Others are being uploaded or removed, and nobody can read them. */
export async function* storedAttachments(rows: ExaminedRows): AsyncGenerator<StoredAttachment> {
  for await (const { tenantId, id, record } of rowsOf(rows, 'attachments')) {
    if (record['state'] !== 'stored' || record['erasedAt'] !== null) continue
    yield { tenantId, id, size: Number(record['size']), sha256: String(record['sha256']) }
  }
}
