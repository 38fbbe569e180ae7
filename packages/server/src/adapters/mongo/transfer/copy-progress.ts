import type { CopyProgress } from '../../../ports/storage-transfer.ts'
import { assertIsWhole } from '../../../storage/transfer.ts'
import type { Database } from '../connection/access.ts'
import { decodeRow, encodeRow } from '../rows/encode-row.ts'

const stateId = 'copy'

/** Reads the progress of a copy into this database; undefined when none has begun. */
export async function readCopyProgress(database: Database): Promise<CopyProgress | undefined> {
  const [found] = await database.across().find('serverState', { _id: stateId })
  return found && decodeRow<CopyProgress>(found.row)
}

export async function writeCopyProgress(database: Database, progress: CopyProgress): Promise<void> {
  await database.across().upsert('serverState', stateId, { $set: { row: encodeRow(progress) } })
}

/** Refuses half of a copy. A whole one is in use from now on. */
export async function beginUse(database: Database): Promise<void> {
  const progress = await readCopyProgress(database)
  assertIsWhole(progress)
  if (progress && !progress.isUsed) await writeCopyProgress(database, { ...progress, isUsed: true })
}
