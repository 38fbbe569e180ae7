import { hash } from 'node:crypto'
import { constants, createReadStream, existsSync } from 'node:fs'
import { access, type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { ErasureLedger, ErasureLine, LedgerPosition } from '../../ports/erasure-ledger.ts'
import { readLedgerLine } from '../../shared/ledger-line.ts'
import { syncFolder } from '../../shared/sync-folder.ts'

/** The bytes before a position that its digest is of: more than a line without addresses. */
const digestedBytes = 1024

/** A ledger in a file with one JSON object in each line. */
export function openErasureLedger(file: string): ErasureLedger {
  return {
    path: file,
    async append(lines) {
      const handle = await open(file, 'a+', 0o600)
      try {
        const { size } = await handle.stat()
        // A process that died in a write has left a line without its end.
        const isCut = size > 0 && (await readBytes(handle, size - 1, size)).toString() !== '\n'
        const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
        await handle.appendFile(isCut ? `\n${text}` : text)
        await handle.sync()
        if (size === 0) await syncFolder(path.dirname(file))
        return await positionAt(handle, (await handle.stat()).size)
      } finally {
        await handle.close()
      }
    },
    async read(after) {
      const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
      if (handle === undefined) return undefined
      try {
        const { size } = await handle.stat()
        const isContinued =
          after === undefined ||
          (after.bytes <= size && (await positionAt(handle, after.bytes)).digest === after.digest)
        const start = isContinued ? (after?.bytes ?? 0) : 0
        return { isContinued, end: await positionAt(handle, size), lines: () => readLines(file, start, size) }
      } finally {
        await handle.close()
      }
    },
    assertWritable: () => access(existsSync(file) ? file : path.dirname(file), constants.W_OK),
  }
}

async function readBytes(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(end - start), position: start })
  return buffer.subarray(0, bytesRead)
}

async function positionAt(handle: FileHandle, bytes: number): Promise<LedgerPosition> {
  const before = await readBytes(handle, Math.max(0, bytes - digestedBytes), bytes)
  return { bytes, digest: hash('sha256', before, 'hex').slice(0, 16) }
}

async function* readLines(file: string, start: number, end: number): AsyncGenerator<ErasureLine | undefined> {
  if (start >= end) return
  const input = createReadStream(file, { start, end: end - 1 })
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    if (text !== '') yield readLedgerLine(text)
}
