import { createHash } from 'node:crypto'
import { createProgressLine } from '../copy/progress-line.ts'
import {
  examineDatabase,
  lockDatabase,
  openAttachmentPlace,
  openAttachmentsBeside,
  openTransferSource,
} from '../main/compose/databases.ts'
import { type Config, loadConfig, processVariables } from '../main/config/config.ts'
import type { AttachmentStore } from '../ports/attachment-store.ts'
import { type StoredAttachment, storedAttachments } from './backup/attachment-rows.ts'
import { CommandError, readArgs } from './command.ts'

/** Files that move at the same time: a small one mostly waits. */
const filesMax = 8

interface Stores {
  from: AttachmentStore
  to: AttachmentStore
}

interface Moved {
  files: number
  bytes: number
  /** Ids of files whose bytes differ from the checksum of their upload. */
  damaged: string[]
}

/**
 * Moves the files beside the rows into the object store of the settings, or back. It may be ended and run again at any moment: a file
 * goes from its earlier place only when the other has all of it.
 */
export async function moveAttachments(args: string[]): Promise<void> {
  const { values } = readArgs(args, { names: [], options: { back: { type: 'boolean' } } })
  const config = loadConfig(processVariables(), { dev: false, isReadOnly: true })
  if (config.attachments === undefined) throw new CommandError('CRM_ATTACHMENTS names no object store')
  const isBack = values.back ?? false
  const release = isBack ? await takeAlone(config) : () => {}
  const [beside, place] = [
    await openAttachmentsBeside(config.databaseUrl),
    await openAttachmentPlace(config.attachments),
  ]
  try {
    const stores = isBack ? { from: place, to: beside } : { from: beside, to: place }
    const moved = await moveAll(config, stores)
    const [path = ''] = config.attachments.address.split('?', 1)
    const left = await countLeft(stores.from)
    const names = isBack ? { from: path, to: 'beside the rows' } : { from: 'beside the rows', to: path }
    process.stderr.write(describe(moved, { left, ...names }))
    if (moved.damaged.length > 0) process.exitCode = 1
  } finally {
    await Promise.all([beside.close(), place.close()])
    release()
  }
}

/** A server would write new files into the object store, and erase in an order that is right for the other direction alone. */
async function takeAlone({ databaseUrl }: Config): Promise<() => void> {
  if (databaseUrl.startsWith('sqlite:')) {
    const lock = lockDatabase(databaseUrl, 'crm-server attachments move --back')
    return () => lock.release()
  }
  const source = await openTransferSource(databaseUrl)
  const isInUse = await source.isInUse().finally(() => source.close())
  if (!isInUse) return () => {}
  throw new CommandError(
    'A server works on the database: stop it first; a killed one counts as stopped after 90 seconds',
  )
}

async function moveAll({ databaseUrl }: Config, stores: Stores): Promise<Moved> {
  const { rows, close } = await examineDatabase(databaseUrl, { isThorough: false })
  if (rows === undefined) throw new CommandError('The database cannot be read: run crm-server doctor')
  const moved: Moved = { files: 0, bytes: 0, damaged: [] }
  const progress = createProgressLine(process.stderr)
  try {
    const total = await rows.count('attachments')
    let group: StoredAttachment[] = []
    let seen = 0
    const moveGroup = async () => {
      await Promise.all(group.map((attachment) => moveOne(attachment, { ...stores, moved })))
      seen += group.length
      group = []
      progress.count('attachments', { rows: seen, total })
    }
    for await (const attachment of storedAttachments(rows)) {
      group.push(attachment)
      if (group.length === filesMax) await moveGroup()
    }
    await moveGroup()
    return moved
  } finally {
    progress.end()
    await close()
  }
}

async function moveOne(
  { sha256, size, ...key }: StoredAttachment,
  { from, to, moved }: Stores & { moved: Moved },
): Promise<void> {
  const bytes = await from.read(key)
  if (bytes === undefined) return
  const hash = createHash('sha256')
  async function* hashed() {
    for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
      hash.update(chunk)
      yield chunk
    }
  }
  await to.write(key, hashed())
  if (hash.digest('hex') !== sha256) {
    moved.damaged.push(key.id)
    await to.remove(key)
    return
  }
  // A server that erases it empties the earlier place first: a file that is not there must not appear here.
  if ((await from.sizeOf(key)) === undefined) return to.remove(key)
  await from.remove(key)
  moved.files += 1
  moved.bytes += size
}

async function countLeft(store: AttachmentStore): Promise<number> {
  let left = 0
  for await (const _key of store.list()) left += 1
  return left
}

function describe(
  { files, bytes, damaged }: Moved,
  { left, from, to }: { left: number; from: string; to: string },
): string {
  const lines = [
    `${files} files with ${(bytes / 1_000_000).toFixed(1)} MB are now ${to}; ${left} are still ${from}.`,
  ]
  if (damaged.length > 0)
    lines.push(
      `These differ from the checksum of their upload, and stay where they are: ${damaged.join(', ')}.`,
    )
  if (left > damaged.length) lines.push('The others have no stored row: crm-server doctor --all names them.')
  return `${lines.join('\n')}\n`
}
