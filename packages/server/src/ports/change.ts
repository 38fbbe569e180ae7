import type { DomainEvent } from '@crmkit/core'
import type { AttemptRecord } from '../storage/kinds/attempts.ts'
import type { ErasedKind, Kind, Records, TenantKind } from '../storage/kinds/registry.ts'

/**
 * All or nothing: the writes, the events, and one pending attempt for each active webhook of the tenant
 * that subscribes to an event, as the webhooks stand at this very commit.
 */
export interface Change<K extends Kind = TenantKind> {
  writes: Write<K>[]
  events: DomainEvent[]
  /**
   * Pending attempts at stored events, beyond those that the events of this commit call for.
   * `VersionConflict` when an attempt with one of their ids is there.
   */
  attempts?: readonly AttemptRecord[]
  /**
   * For a decision that rests on more than the rows it writes, such as how many there are: `VersionConflict`
   * unless `TenantStore.version` still answers this, which then rises by one. All such commits of a tenant
   * stand in each other's way, so it is for rare ones only.
   */
  expectTenantVersion?: number
}

export type Write<K extends Kind = TenantKind> = { [P in K]: WriteOf<P> }[K]

type WriteOf<K extends Kind> =
  /** A new row. `UniqueConflict` when its id or another unique value is taken. */
  | { op: 'insert'; kind: K; row: Records[K] }
  /** Replaces top-level fields. `VersionConflict` when the row has another version or is gone. */
  | { op: 'update'; kind: K; id: string; expectVersion: number; set: Partial<Records[K]> }
  /**
   * Counts and moments that many requests touch at once; never changes `version`, so it makes no one
   * else lose. `increment` adds, `max` keeps the greater text, `setIfNull` fills what is null.
   * `VersionConflict` when the row is gone or a field of `when` has another value.
   */
  | {
      op: 'patch'
      kind: K
      id: string
      increment?: { [F in keyof Records[K]]?: number }
      max?: { [F in keyof Records[K]]?: string }
      setIfNull?: Partial<Records[K]>
      when?: Partial<Records[K]>
    }
  /** Removes one row and nothing else. `VersionConflict` when it is gone. */
  | { op: 'remove'; kind: K; id: string }
  /**
   * Removes a customer or a conversation with all that belongs to it: a customer's conversations and what they
   * wrote in others', their messages, idempotency replies about any of them. Earlier events about them keep only
   * `{id,event,timestamp,data:{_id,erased:true}}`, and their pending attempts end as failed with ERASED; what is
   * called `*.deleted` tells ids only and stays. From this commit on no read shows any of it and no commit writes
   * to it (`VersionConflict`). An attachment keeps its row until its bytes are gone (`erasedAttachment`). The first
   * `erasedPerCommitMax` rows go with it, the rest by `eraseNext`: a task for that is written too. `VersionConflict` when the row is gone.
   */
  | (K extends ErasedKind ? { op: 'erase'; kind: K; id: string; at: string } : never)
