import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { reserveFilename } from '../../../src/adapters/data-directory/disk-reserve.ts'
import type { FaultPlan } from './preload/fault-plan.ts'
import { type FaultWorld, sqliteWorld } from './worlds.ts'

/** A place for a database that a test can fill up and free again, while the server runs. */
export interface ScarceDisk {
  world: FaultWorld
  plan: FaultPlan
  fill(): void
  free(): void
  /** The size of the reserve file; 0 when there is none. */
  reserveBytes(): number
  remove(): void
}

const pageBytes = 4096
const sparePages = 4

/** Room is what `max_page_count` says: SQLite then behaves as on a full disk. Works everywhere. */
export function boundedDatabase(): ScarceDisk {
  const directory = mkdtempSync(path.join(tmpdir(), 'crmkit-pages-'))
  const pagesFile = path.join(directory, 'pages')
  const free = () => writeFileSync(pagesFile, '4294967294')
  free()
  const fill = () => {
    const { size } = statSync(path.join(directory, 'crm.sqlite'))
    writeFileSync(pagesFile, String(Math.ceil(size / pageBytes) + sparePages))
  }
  const remove = () => rmSync(directory, { recursive: true, force: true })
  const reserveBytes = () => sizeOf(directory)
  return { world: sqliteWorld(directory), plan: { pagesFile }, fill, free, reserveBytes, remove }
}

/** A small file system of its own. Undefined where none can be mounted, which takes the rights of root. */
export function smallFileSystem(): ScarceDisk | undefined {
  const directory = mkdtempSync(path.join(tmpdir(), 'crmkit-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', directory])
  if (mounted.status !== 0) {
    rmSync(directory, { recursive: true, force: true })
    return undefined
  }
  const filler = path.join(directory, 'filler')
  return {
    world: sqliteWorld(directory),
    plan: {},
    fill: () => fillUp(filler),
    free: () => rmSync(filler),
    reserveBytes: () => sizeOf(directory),
    remove: () => {
      spawnSync('umount', [directory])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function sizeOf(directory: string): number {
  return statSync(path.join(directory, reserveFilename), { throwIfNoEntry: false })?.size ?? 0
}

/** Writes until there is no room; the server takes some of it meanwhile. */
function fillUp(file: string): void {
  const chunk = Buffer.alloc(pageBytes)
  const descriptor = openSync(file, 'w')
  try {
    for (;;) writeSync(descriptor, chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(descriptor)
  }
}
