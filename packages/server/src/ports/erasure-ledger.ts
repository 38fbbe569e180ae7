import type { TaskRecord } from '../storage/kinds/tasks.ts'
import type { TenantId } from '../storage/records.ts'

/** One erasure: ids and digests alone, so that the ledger says nothing about the person. */
export interface ErasureLine {
  /** When it was asked for. */
  at: string
  tenantId: string
  kind: 'customers' | 'users' | 'conversations' | 'tenants'
  id: string
  /** Digests of the addresses that a customer had (`AddressDigests`). */
  addresses: readonly string[]
  /** Only of a user whose membership ended, and whose name stays under what they wrote. */
  isRemoval?: true
}

/** A place in a ledger, as a database remembers it. */
export interface LedgerPosition {
  bytes: number
  /** Of the bytes before it: another file has other ones. */
  digest: string
}

/** The lines of a ledger behind a position. */
export interface LedgerPart {
  /** False: the ledger is shorter than the position, or another one. Then the part is all of it. */
  isContinued: boolean
  end: LedgerPosition
  /** Undefined for a line that cannot be read. A write that was cut off leaves one, and its erasure is written again. */
  lines(): AsyncIterable<ErasureLine | undefined>
}

/** The list of erasures beside a database. It is in no backup of that database, so that it survives a restore. */
export interface ErasureLedger {
  /** The file, or the address in an object store, for people. */
  readonly path: string
  /** Resolves when the lines are durable, with a position that is not before them. */
  append(lines: readonly ErasureLine[]): Promise<LedgerPosition>
  /** Undefined: there is no such file, or it has no line yet. */
  read(after: LedgerPosition | undefined): Promise<LedgerPart | undefined>
  /** Throws where lines cannot be appended. */
  assertWritable(): Promise<void>
}

/** Digests of addresses under the secrets key: without the key nobody can try addresses. */
export interface AddressDigests {
  /** The digest under the current key. */
  digestOf(of: { tenantId: string; address: string }): string
  /** The digests under every key of the ring. */
  digestsOf(of: { tenantId: string; address: string }): string[]
  /** Whether the key of a digest is in the ring. */
  isKnown(digest: string): boolean
}

/** Copies erasures into the ledger. The task of an erasure ends only when its line is there, so none can be lost. */
export interface ErasureRecords {
  /** Writes the line of a task, and those of the tenant's later ones, unless this process has written them. */
  record(found: { tenantId: TenantId; task: TaskRecord }): Promise<void>
  /** The task is deleted. */
  forget(task: TaskRecord): void
}
