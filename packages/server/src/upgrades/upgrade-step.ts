import type { DomainEvent, IdFactory } from '@crmkit/core'
import type { AttachmentKey } from '../ports/attachment-store.ts'
import type { Write } from '../ports/change.ts'
import type { TenantStore } from '../ports/storage.ts'
import type { SystemStore } from '../ports/system-store.ts'
import type { Kind, Records } from '../storage/kinds/registry.ts'
import type { UpgradeNote } from '../storage/kinds/tenants.ts'
import type { Stored } from '../storage/records.ts'

export type SenderOfMail = (bytes: AttachmentKey) => Promise<string | null>

/** Everything that a step may read. For a kind of the whole server the tenant of `store` is the empty one. */
export interface UpgradeReads {
  store: TenantStore
  system: SystemStore
  ids: IdFactory
  /** Returns the sender that the stored bytes of a mail name; null where they name none, or are deleted. */
  senderOfMail: SenderOfMail
  /** ISO 8601. */
  now: string
}

export interface Upgraded {
  writes: Write<Kind>[]
  events?: DomainEvent[]
  /** Rows that a person has to decide about. */
  note?: UpgradeNote
}

/**
 * Brings the rows of one kind into the form of today, row by row and tenant by tenant, while the service runs. Every read
 * works with rows of both forms until each tenant is done.
 */
export interface UpgradeStep<K extends Kind = Kind> {
  /** Unique for all time. Letters and digits. */
  readonly name: string
  readonly kind: K
  /** The version of the service that writes the new form. */
  readonly since: string
  /** This version reads the new form alone: it does not start before every tenant is done. */
  readonly isRequired?: true
  /** Ends the sentence of `crm-server doctor` about the rows of a note: "customers A and B …". */
  readonly noted?: string
  /** Says whether the row has the old form still. False for a row that `upgrade` has changed. */
  needs(row: Stored<Records[K]>): boolean
  /**
   * Returns the writes that bring the row into the new form; none, to leave it as it is. Each write of a stored row names the
   * version that was read, so a row that is changed meanwhile is read and decided again.
   */
  upgrade(row: Stored<Records[K]>, reads: UpgradeReads): Promise<Upgraded>
}

/** Checks a step against the rows of its kind, and returns it as one of the list. */
export function upgradeStep<K extends Kind>(step: UpgradeStep<K>): UpgradeStep {
  return step
}
