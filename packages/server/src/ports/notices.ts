import type { TenantId } from '../storage/records.ts'
import type { LiveSignal, PresenceEntry } from './live.ts'

/** A message from one process to the others of its installation, so that they need not wait for their next poll. */
export type Notice =
  /** The rights of credentials of this tenant may have changed; null: of any tenant. */
  | { type: 'credentials'; tenantId: TenantId | null }
  /** The webhooks of this tenant have changed. */
  | { type: 'webhooks'; tenantId: TenantId }
  /** Events were committed that have no positions yet: the process that gives the positions should poll. */
  | { type: 'commits' }
  /** The log of the tenant has new events. */
  | { type: 'events'; tenantId: TenantId }
  /** A live event for the streams of the tenant. Nothing repeats it. */
  | { type: 'live'; tenantId: TenantId; signal: LiveSignal }
  /** Sessions have conversations open, or have left them. Repeated every 5 seconds by a process that has their streams. */
  | { type: 'presence'; tenantId: TenantId; entries: readonly PresenceEntry[] }
  /** The availability of these users may have another value now. */
  | { type: 'availability'; tenantId: TenantId; userIds: readonly string[] }
  /** Conversations or inboxes, or mails alone, changed without an event: who counts them has to count again. */
  | { type: 'recount'; tenantId: TenantId; of?: 'mails' | undefined }

export interface NoticeListener {
  /** Called with each notice of another process; never with this process's own notices. */
  onNotice(notice: Notice): void
  /** Called when notices may have been lost: everything that relies on them must be read again. */
  onGap(): void
}

/**
 * Notices between the processes of one installation. They may be lost while the connection is broken, and every
 * listener is called with a gap as soon as it is back. So a notice may only speed up what also happens without it.
 * A single process has no listeners.
 */
export interface Notices {
  /** Never throws and never waits. The notices of one process arrive in their order. */
  publish(notice: Notice): void
  /** Notices of others arrive from the moment this resolves. Resolves also while the others cannot be reached. */
  listen(listener: NoticeListener): Promise<void>
  close(): Promise<void>
}
