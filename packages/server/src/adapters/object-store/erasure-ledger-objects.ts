import { createHash } from 'node:crypto'
import type { ErasureLedger, ErasureLine, LedgerPosition } from '../../ports/erasure-ledger.ts'
import { readLedgerLine } from '../../shared/ledger-line.ts'
import { type ObjectBucket, openObjectBucket } from './object-bucket.ts'
import type { ObjectPlace, StoredObject } from './object-client.ts'

const namePattern = /^\d{12}\.ndjson$/
/** Objects that are fetched at once while a ledger is read. */
const fetchedMax = 16

/**
 * A ledger in an object store: an object for each append, numbered from 1, because objects cannot grow. Processes of several machines
 * append to it: of two that take the same number one is refused by the store, and takes the next.
 */
export function openErasureLedgerObjects(place: ObjectPlace): ErasureLedger {
  const bucket = openObjectBucket(place)
  const [path = ''] = place.address.split('?', 1)
  // The objects that this process has seen; none of them changes or goes.
  const known: StoredObject[] = []
  async function refresh(): Promise<void> {
    const found = await bucket.list(known.at(-1)?.name ?? '')
    known.push(...found.filter(({ name }) => namePattern.test(name)))
  }
  async function append(lines: readonly ErasureLine[]): Promise<LedgerPosition> {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    for (;;) {
      await refresh()
      const name = nameOf(Number.parseInt(known.at(-1)?.name ?? '0', 10) + 1)
      if (!(await bucket.create(name, text))) continue
      const before = bytesOf(known)
      const bytes = Buffer.byteLength(text)
      known.push({ name, bytes })
      return { bytes: before + bytes, digest: digestOf(name, text) }
    }
  }
  let appended: Promise<unknown> = Promise.resolve()
  return {
    path,
    append(lines) {
      // One after the other: two of this process would take the same number.
      const result = appended.then(() => append(lines))
      appended = result.catch(() => undefined)
      return result
    },
    async read(after) {
      const objects = (await bucket.list('')).filter(({ name }) => namePattern.test(name))
      const last = objects.at(-1)
      if (last === undefined) return undefined
      const isContinued = after === undefined || (await isPositionIn(bucket, objects, after))
      const next = isContinued ? objects.slice(countBefore(objects, after?.bytes ?? 0)) : objects
      const end = { bytes: bytesOf(objects), digest: digestOf(last.name, await bucket.read(last.name)) }
      return { isContinued, end, lines: () => readLines(bucket, next) }
    },
    assertWritable: () => bucket.overwrite('examined', ''),
  }
}

function nameOf(number: number): string {
  return `${String(number).padStart(12, '0')}.ndjson`
}

function digestOf(name: string, content: string | Buffer): string {
  return createHash('sha256').update(`${name}\n`).update(content).digest('hex').slice(0, 16)
}

function bytesOf(objects: readonly StoredObject[]): number {
  return objects.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Returns how many of the objects hold the first `bytes` bytes. */
function countBefore(objects: readonly StoredObject[], bytes: number): number {
  let sum = 0
  return objects.filter((object) => {
    sum += object.bytes
    return sum <= bytes
  }).length
}

async function isPositionIn(
  bucket: ObjectBucket,
  objects: readonly StoredObject[],
  { bytes, digest }: LedgerPosition,
): Promise<boolean> {
  const before = objects.slice(0, countBefore(objects, bytes))
  const last = before.at(-1)
  if (last === undefined || bytesOf(before) !== bytes) return false
  return digestOf(last.name, await bucket.read(last.name)) === digest
}

async function* readLines(
  bucket: ObjectBucket,
  objects: readonly StoredObject[],
): AsyncGenerator<ErasureLine | undefined> {
  for (let start = 0; start < objects.length; start += fetchedMax) {
    const group = objects.slice(start, start + fetchedMax)
    const texts = await Promise.all(group.map(async ({ name }) => String(await bucket.read(name))))
    for (const text of texts.flatMap((whole) => whole.split('\n')))
      if (text !== '') yield readLedgerLine(text)
  }
}
