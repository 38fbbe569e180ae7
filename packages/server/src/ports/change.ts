import type { DomainEvent, EventType } from '@crmkit/core'
import type { AttemptRecord } from '../storage/kinds/attempts.ts'
import type { ErasedKind, Kind, Records, TenantKind } from '../storage/kinds/registry.ts'

/**
 * A commit is all or nothing: the writes, the events, and one pending attempt for each event and each webhook that
 * is active and subscribed to it at the moment of this commit.
 */
export interface Change<K extends Kind = TenantKind> {
  writes: Write<K>[]
  events: DomainEvent[]
  /**
   * Pending attempts at stored events, in addition to those that the events of this commit cause.
   * `VersionConflict` when an attempt with one of their ids exists.
   */
  attempts?: readonly AttemptRecord[]
  /**
   * For a decision that depends on more than the rows it writes, such as their number: `VersionConflict` unless
   * `TenantStore.version` still returns this value, which then rises by one. All such commits of a tenant conflict
   * with each other, so use it for rare ones only.
   */
  expectTenantVersion?: number
  /**
   * For a decision on who hears an event of this commit: `VersionConflict` unless an active webhook hears the type, or none does, as
   * the decision says. A database of several processes compares with what this process knows of its webhooks, as for the attempts.
   */
  expectHeard?: { type: EventType; isHeard: boolean }
}

export type Write<K extends Kind = TenantKind> = { [P in K]: WriteOf<P> }[K]

type WriteOf<K extends Kind> =
  /** A new row. `UniqueConflict` when its id or another unique value is taken. */
  | { op: 'insert'; kind: K; row: Records[K] }
  /**
   * A new row, unless one with its id exists: that one stays as it is. It conflicts with no other commit. `UniqueConflict`
   * when another unique value is taken.
   */
  | { op: 'ensure'; kind: K; row: Records[K] }
  /**
   * Replaces top-level fields. `VersionConflict` when the row has another version or was deleted. `renewsKeys` also stores the
   * computed values that seem to stay as they are: an earlier version may have worked them out in another way.
   */
  | {
      op: 'update'
      kind: K
      id: string
      expectVersion: number
      set: Partial<Records[K]>
      renewsKeys?: true
    }
  /**
   * Changes counts and times that many requests write at once. Never changes `version`, so it conflicts with no
   * other write. `increment` adds, `max` keeps the greater text, `set` replaces fields, of two at once the later commit decides,
   * and `setIfNull` fills fields that are null. `newest` sets its fields unless those that `by` names, compared one after the
   * other as texts, are greater in the row.
   * `VersionConflict` when the row was deleted, has another version than `expectVersion`, or a field of `when` has
   * another value.
   */
  | {
      op: 'patch'
      kind: K
      id: string
      increment?: { [F in keyof Records[K]]?: number }
      max?: { [F in keyof Records[K]]?: string }
      newest?: { readonly by: readonly (keyof Records[K] & string)[]; readonly set: Partial<Records[K]> }
      set?: Partial<Records[K]>
      setIfNull?: Partial<Records[K]>
      when?: Partial<Records[K]>
      expectVersion?: number
    }
  /**
   * Deletes one row and nothing else. `expectVersion` is that of the row as it was read, so that no commit removes a
   * row that it has not read. `VersionConflict` when the row has another version or was deleted already.
   */
  | { op: 'remove'; kind: K; id: string; expectVersion: number }
  /**
   * Erases a customer or a conversation with all its children: a customer's conversations and messages, also those
   * in conversations of others, and the idempotency replies about any of them. Earlier events about them keep only
   * `{id,event,timestamp,data:{_id,erased:true}}`, and their pending attempts end as failed with ERASED; `*.deleted`
   * events hold only ids and stay as they are. From this commit on no read shows any of these rows and no commit
   * writes to them (`VersionConflict`). An attachment keeps its row until its bytes are deleted (`erasedAttachment`).
   * The commit deletes the first `erasedPerCommitMax` rows and writes a task, whose `eraseNext` deletes the rest.
   * `VersionConflict` when the row was deleted already.
   */
  | (K extends ErasedKind ? { op: 'erase'; kind: K; id: string; at: string } : never)
