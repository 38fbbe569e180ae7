import type { CopyProgress } from '../../../ports/storage-transfer.ts'
import { assertIsWhole } from '../../../storage/transfer.ts'
import type { DatabaseHandle } from '../connection/database.ts'

/** Reads the progress of a copy into this database; undefined when none has begun. */
export function readCopyProgress(db: DatabaseHandle): CopyProgress | undefined {
  const row = db.prepare('SELECT progress FROM copy_progress').get() as { progress: string } | undefined
  return row && (JSON.parse(row.progress) as CopyProgress)
}

export function writeCopyProgress(db: DatabaseHandle, progress: CopyProgress): void {
  const write = 'INSERT OR REPLACE INTO copy_progress (id, progress) VALUES (1, ?)'
  db.prepare(write).run(JSON.stringify(progress))
}

/** Refuses half of a copy. A whole one is in use from now on. */
export function beginUse(db: DatabaseHandle): void {
  const progress = readCopyProgress(db)
  assertIsWhole(progress)
  if (progress && !progress.isUsed) writeCopyProgress(db, { ...progress, isUsed: true })
}
