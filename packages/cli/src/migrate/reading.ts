import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { attachedBytesMax, type PackageKind, type PackageRecordInput } from '@crmkit/core/package'
import { type PackageProgress, PackageWriter } from '@crmkit/core/package-folder'
import { type ReaderState, writeState } from './reader-state.ts'
import type { SourceClient } from './source-client.ts'
import type { SourceFiles } from './source-files.ts'
import { cut, type Fields, fieldsOf } from './values.ts'

export interface Agent {
  readonly name: string
  readonly email: string | undefined
}

export interface AttachedFile {
  readonly id: string
  readonly filename: string
  readonly contentType?: string | undefined
  readonly address: string | undefined
  /** The size that the source names; the bytes decide where there are some. */
  readonly size?: number | undefined
  readonly isInline?: boolean
  /** Why it is not even asked for. */
  readonly missing?: string | undefined
}

type Stored = { readonly sha256: string; readonly size: number } | { readonly missing: string }

interface ReadingParts {
  readonly folder: string
  readonly state: ReaderState
  readonly client: SourceClient
  readonly files: Pick<SourceFiles, 'open'>
  readonly onRecord: (total: number) => void
}

/** Between two saves inside of a page. Records of the time after the last one are read again after a kill. */
const saveEveryMs = 2_000
const downloadsMax = 3

class TooLarge extends Error {}

/** One pass over an account: the package that is written, what is known of it, and how far it is. */
export class Reading {
  readonly client: SourceClient
  readonly since: string | null
  readonly begunAt: string
  readonly agents = new Map<string, Agent>()
  readonly #parts: ReadingParts
  readonly #writer: PackageWriter
  readonly #known = new Map<PackageKind, Set<string>>()
  readonly #leftOutIds: Map<string, Set<string>>
  #facts: Record<string, unknown>
  #step: number
  #mark: unknown
  #total = 0
  #savedAtMs = performance.now()

  private constructor(parts: ReadingParts, writer: PackageWriter) {
    const { state, client } = parts
    this.#parts = parts
    this.#writer = writer
    this.client = client
    this.since = state.since
    this.begunAt = state.begunAt
    this.#facts = { ...state.facts }
    this.#step = state.step
    this.#mark = state.mark
    this.#leftOutIds = new Map(Object.entries(state.leftOutIds).map(([kind, ids]) => [kind, new Set(ids)]))
  }

  /** Opens the folder of a state, and takes back what was written after its last save. */
  static async open(parts: ReadingParts): Promise<Reading> {
    const { folder, state } = parts
    const reading = new Reading(parts, await PackageWriter.open(folder, state.progress))
    await reading.#remember(state.progress)
    return reading
  }

  /** Learns the ids of earlier processes from the package itself. */
  async #remember({ parts, counts }: PackageProgress): Promise<void> {
    this.#total = Object.values(counts).reduce((sum, { total }) => sum + total, 0)
    for (const { kind, name } of parts.filter((part) => isRemembered(part.kind))) {
      const input = createReadStream(join(this.#parts.folder, name))
      for await (const line of createInterface({ input })) this.#learn(kind, JSON.parse(line))
    }
  }

  #learn(kind: PackageKind, record: object): void {
    if (!isRemembered(kind)) return
    const { id, name, email } = record as { id: string; name: string; email?: string | null }
    if (kind === 'agents') this.agents.set(id, { name, email: email ?? undefined })
    const ids = this.#known.get(kind) ?? new Set()
    this.#known.set(kind, ids.add(id))
  }

  /** Whether a record with this id is in the package: agents, people, conversations and labels. */
  has(kind: (typeof remembered)[number], id: string): boolean {
    return this.#known.get(kind)?.has(id) ?? false
  }

  async write<K extends PackageKind>(kind: K, record: PackageRecordInput<K>): Promise<void> {
    await this.#writer.write(kind, record)
    this.#learn(kind, record)
    this.#total += 1
    this.#parts.onRecord(this.#total)
  }

  /** Writes each label once. */
  async label(name: string): Promise<string> {
    const id = cut(name, 200)
    if (!this.has('labels', id)) await this.write('labels', { id, name })
    return name
  }

  leaveOut(kind: string, reason: string, count: number | null = 1): void {
    if (count !== 0) this.#writer.leaveOut({ kind, count, reason })
  }

  /** Counts a record that is left out, however often the source names it. */
  leaveOutOnce(kind: string, id: string, reason: string): void {
    const ids = this.#leftOutIds.get(kind) ?? new Set()
    if (ids.has(id)) return
    this.#leftOutIds.set(kind, ids.add(id))
    this.leaveOut(kind, reason)
  }

  isLeftOut(kind: string, id: string): boolean {
    return this.#leftOutIds.get(kind)?.has(id) ?? false
  }

  /** Makes the custom fields of a record, and counts what does not fit. */
  fields(entries: Iterable<readonly [name: string, value: unknown]>): Pick<Fields, 'customFields'> {
    const { customFields, leftOut } = fieldsOf(entries)
    this.leaveOut('customFields', 'A record has at most 200 further fields and 32 KB of them', leftOut)
    return Object.keys(customFields).length > 0 ? { customFields } : ({} as Pick<Fields, 'customFields'>)
  }

  /** Stores the bytes of a file, or the reason why there are none; returns its id. */
  async attach(file: AttachedFile): Promise<string> {
    const { id, filename, contentType, isInline = false } = file
    const stored = file.missing === undefined ? await this.#download(file) : { missing: file.missing }
    await this.write('attachments', {
      id,
      filename: cut(filename, 2_000),
      ...(contentType && { contentType }),
      ...('missing' in stored
        ? { sha256: null, missing: stored.missing, size: file.size ?? 0 }
        : { sha256: stored.sha256, size: stored.size }),
      ...(isInline && { isInline, contentId: id }),
    })
    return id
  }

  async #download({ address }: AttachedFile): Promise<Stored> {
    if (address === undefined) return { missing: 'the source names no address' }
    for (let tries = 1; tries <= downloadsMax; tries += 1) {
      const stored = await this.#tryDownload(address)
      if (stored !== undefined) return stored
    }
    return { missing: 'the download broke off' }
  }

  async #tryDownload(address: string): Promise<Stored | undefined> {
    const opened = await this.#parts.files.open(address)
    if ('missing' in opened) return opened
    try {
      return await this.#writer.writeBytes(notTooLarge(opened.bytes))
    } catch (error) {
      if (error instanceof TooLarge) return { missing: 'it is larger than 50 MB' }
      // A full disk is no fault of the file.
      if (error instanceof Error && 'syscall' in error && error.syscall === 'write') throw error
      return undefined
    }
  }

  get step(): number {
    return this.#step
  }

  /** Where the step goes on; undefined at its beginning. */
  mark<T>(): T | undefined {
    return (this.#mark ?? undefined) as T | undefined
  }

  fact<T>(name: string): T | undefined {
    return this.#facts[name] as T | undefined
  }

  /** Keeps what later steps need. */
  learn(name: string, value: unknown): void {
    this.#facts = { ...this.#facts, [name]: value }
  }

  /** Makes everything durable. After a kill the step goes on at the mark. */
  async save(mark: unknown): Promise<void> {
    this.#mark = mark
    await this.#saveState(false)
  }

  /** Saves when the last time was some seconds ago. */
  async saveNowAndThen(mark: unknown): Promise<void> {
    if (performance.now() - this.#savedAtMs >= saveEveryMs) await this.save(mark)
  }

  async endStep(): Promise<void> {
    this.#step += 1
    await this.save(null)
  }

  async #saveState(isComplete: boolean): Promise<void> {
    const progress = await this.#writer.checkpoint()
    const leftOutIds = Object.fromEntries([...this.#leftOutIds].map(([kind, ids]) => [kind, [...ids]]))
    const { folder, state } = this.#parts
    const [step, mark, facts] = [this.#step, this.#mark, this.#facts]
    await writeState(folder, { ...state, step, mark, facts, leftOutIds, progress, isComplete })
    this.#savedAtMs = performance.now()
  }

  /** Writes the manifest, with which the folder is a package. */
  async finish() {
    const { product, account, url, begunAt: madeAt, since } = this.#parts.state
    const source = { product, account, url }
    const manifest = await this.#writer.finish({ source, madeAt, since, complete: true })
    await this.#saveState(true)
    return manifest
  }

  close(): Promise<void> {
    return this.#writer.close()
  }
}

const remembered = ['agents', 'labels', 'people', 'conversations'] as const satisfies readonly PackageKind[]

function isRemembered(kind: PackageKind): boolean {
  return remembered.some((one) => one === kind)
}

async function* notTooLarge(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > attachedBytesMax) throw new TooLarge()
    yield chunk
  }
}
