export type Row = Record<string, unknown>

/** The fields that the emulator makes for a record of this number. */
export type MakeRow = (index: number) => Row

export interface DatasetOptions {
  /** Added to the number of a record: ids of all modules are unique in the organisation. */
  readonly firstId: bigint
  readonly count: number
  readonly makeRow: MakeRow
  readonly firstModifiedMs: number
  /** Records that changed in the same second. */
  readonly perSecond: number
}

interface Change {
  fields: Row
  modifiedMs: number
}

export interface Deleted {
  id: string
  deletedMs: number
}

export type SortBy = 'id' | 'Created_Time' | 'Modified_Time'

/** A record's number with the moment of its last change. */
interface Entry {
  index: number
  modifiedMs: number
}

/**
 * The records of one module. A record is made from its number when it is read, so memory grows with the changes and
 * not with the records.
 */
export class Dataset {
  readonly #options: DatasetOptions
  readonly #changes = new Map<number, Change>()
  readonly #deleted = new Map<number, number>()
  #created = 0
  #lastMs: number

  constructor(options: DatasetOptions) {
    this.#options = options
    this.#lastMs = options.firstModifiedMs + Math.floor(options.count / options.perSecond) * 1000
  }

  get size(): number {
    return this.#options.count + this.#created - this.#deleted.size
  }

  idOf(index: number): string {
    return String(this.#options.firstId + BigInt(index))
  }

  #indexOf(id: string): number | undefined {
    if (!/^\d{1,19}$/.test(id)) return undefined
    const index = Number(BigInt(id) - this.#options.firstId)
    const exists = index >= 0 && index < this.#options.count + this.#created && !this.#deleted.has(index)
    return exists ? index : undefined
  }

  #modifiedMs(index: number): number {
    const { firstModifiedMs, perSecond } = this.#options
    return this.#changes.get(index)?.modifiedMs ?? firstModifiedMs + Math.floor(index / perSecond) * 1000
  }

  find(id: string): Row | undefined {
    const index = this.#indexOf(id)
    return index === undefined ? undefined : this.#rowOf(index)
  }

  #rowOf(index: number): Row {
    const createdMs = this.#options.firstModifiedMs + Math.floor(index / this.#options.perSecond) * 1000
    const made = index < this.#options.count ? this.#options.makeRow(index) : {}
    return {
      id: this.idOf(index),
      ...made,
      Created_Time: offsetTime(createdMs),
      ...this.#changes.get(index)?.fields,
      Modified_Time: offsetTime(this.#modifiedMs(index)),
    }
  }

  /** Every change is later than all before it, at least by a second. */
  #nextMs(): number {
    this.#lastMs = Math.max(this.#lastMs + 1000, Math.floor(Date.now() / 1000) * 1000)
    return this.#lastMs
  }

  update(id: string, fields: Row): boolean {
    const index = this.#indexOf(id)
    if (index === undefined) return false
    const before = this.#changes.get(index)?.fields
    this.#changes.set(index, { fields: { ...before, ...fields }, modifiedMs: this.#nextMs() })
    return true
  }

  create(fields: Row): string {
    const index = this.#options.count + this.#created
    this.#created += 1
    this.#changes.set(index, { fields, modifiedMs: this.#nextMs() })
    return this.idOf(index)
  }

  delete(id: string): boolean {
    const index = this.#indexOf(id)
    if (index === undefined) return false
    this.#deleted.set(index, this.#nextMs())
    this.#changes.delete(index)
    return true
  }

  deletedSince(sinceMs: number): Deleted[] {
    return [...this.#deleted]
      .filter(([, deletedMs]) => deletedMs >= sinceMs)
      .map(([index, deletedMs]) => ({ id: this.idOf(index), deletedMs }))
  }

  /** Returns the rows at these positions of the sorted list, and whether there are more. */
  page(of: { sortBy: SortBy; isAscending: boolean; sinceMs: number; skip: number; limit: number }) {
    const found: Row[] = []
    let position = 0
    for (const { index } of this.#sorted(of)) {
      if (found.length === of.limit) return { rows: found, hasMore: true }
      if (position >= of.skip) found.push(this.#rowOf(index))
      position += 1
    }
    return { rows: found, hasMore: false }
  }

  *#sorted(of: { sortBy: SortBy; isAscending: boolean; sinceMs: number }): Generator<Entry> {
    const isByChange = of.sortBy === 'Modified_Time'
    const changed = [...this.#changes].map(([index, { modifiedMs }]): Entry => ({ index, modifiedMs }))
    changed.sort((a, b) => a.modifiedMs - b.modifiedMs)
    const later = changed.filter(({ modifiedMs }) => modifiedMs >= of.sinceMs)
    if (isByChange && of.isAscending) {
      yield* this.#unchanged(of)
      yield* later
    } else if (isByChange) {
      yield* later.reverse()
      yield* this.#unchanged(of)
    } else yield* this.#all(of)
  }

  /** Changed records are later than all others, so they are not in this part of the list. */
  *#unchanged({ isAscending, sinceMs }: { isAscending: boolean; sinceMs: number }): Generator<Entry> {
    const { count, firstModifiedMs, perSecond } = this.#options
    const seconds = Math.max(0, Math.ceil((sinceMs - firstModifiedMs) / 1000))
    const first = Math.min(seconds * perSecond, count)
    for (let step = first; step < count; step++) {
      const index = isAscending ? step : count - 1 - (step - first)
      if (this.#changes.has(index) || this.#deleted.has(index)) continue
      yield { index, modifiedMs: this.#modifiedMs(index) }
    }
  }

  *#all({ isAscending, sinceMs }: { isAscending: boolean; sinceMs: number }): Generator<Entry> {
    const total = this.#options.count + this.#created
    for (let step = 0; step < total; step++) {
      const index = isAscending ? step : total - 1 - step
      const modifiedMs = this.#modifiedMs(index)
      if (!this.#deleted.has(index) && modifiedMs >= sinceMs) yield { index, modifiedMs }
    }
  }
}

const offsetMs = 3 * 3_600_000

/** As Zoho writes times: in the zone of the user, without milliseconds. */
export function offsetTime(ms: number): string {
  return new Date(ms + offsetMs).toISOString().replace(/\.\d+Z$/, '+03:00')
}
