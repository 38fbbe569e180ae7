import type { DatabaseHandle } from '../connection/database.ts'

export interface FreePages {
  pages: number
  free: number
  pageBytes: number
  /** Whether the file can give pages back in steps: files of earlier versions cannot until they are compacted. */
  canShrink: boolean
}

/** The file keeps as many free pages for the rows that come. */
const keptShare = 0.1
/** Below this nobody needs the space, and a busy file would shrink and grow all the time. */
const beginShare = 0.25
const beginBytes = 16 * 1024 * 1024
/** Takes some milliseconds; requests wait for the writer. */
const pagesPerStep = 256

const incremental = 2

function numberOf(db: DatabaseHandle, pragma: string): number {
  return Number(db.pragma(pragma, { simple: true }))
}

export function readFreePages(db: DatabaseHandle): FreePages {
  return {
    pages: numberOf(db, 'page_count'),
    free: numberOf(db, 'freelist_count'),
    pageBytes: numberOf(db, 'page_size'),
    canShrink: numberOf(db, 'auto_vacuum') === incremental,
  }
}

/** Whether a file has so many free pages that an operator or the service should give them back. */
export function isSlack({ pages, free, pageBytes }: FreePages): boolean {
  return free > pages * beginShare && free * pageBytes > beginBytes
}

/**
 * Returns a function that gives some free pages back to the disk, and returns how many: none when few are left. It begins only with a
 * file that is slack. Runs in the writer's transaction.
 */
export function createShrink(db: DatabaseHandle): () => number {
  let isShrinking = false
  return () => {
    const found = readFreePages(db)
    if (!found.canShrink) return 0
    isShrinking = isSlack(found) || (isShrinking && found.free > found.pages * keptShare)
    if (!isShrinking) return 0
    const spare = Math.ceil(found.free - found.pages * keptShare)
    db.pragma(`incremental_vacuum(${Math.min(pagesPerStep, spare)})`)
    return found.free - readFreePages(db).free
  }
}

/** Writes the whole file anew without its free pages, so that it also shrinks by itself from then on. It needs as much space again. */
export function compactFile(db: DatabaseHandle): { beforeBytes: number; afterBytes: number } {
  const bytes = ({ pages, pageBytes }: FreePages) => pages * pageBytes
  const beforeBytes = bytes(readFreePages(db))
  // The mode of a file in WAL changes with its next VACUUM alone.
  db.pragma('auto_vacuum = INCREMENTAL')
  db.exec('VACUUM')
  db.pragma('wal_checkpoint(TRUNCATE)')
  return { beforeBytes, afterBytes: bytes(readFreePages(db)) }
}
