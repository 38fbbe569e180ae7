import type { TenantId } from '../storage/records.ts'

/** What one process tells the others of its installation, so that they need not wait for their own next look. */
export type Notice =
  /** What credentials of this tenant mean may have changed; null: of any tenant. */
  | { type: 'credentials'; tenantId: TenantId | null }
  /** Events were committed that have no positions yet: the process that gives them should look. */
  | { type: 'commits' }
  /** The log of the tenant has new events. */
  | { type: 'events'; tenantId: TenantId }

export interface NoticeListener {
  /** Another process published this. Never called for what this process published itself. */
  onNotice(notice: Notice): void
  /** Notices may have been lost: whatever was built on them must be looked up anew. */
  onGap(): void
}

/**
 * Word between the processes of one installation. It may be lost while the way between them is broken, and then
 * every listener hears of a gap as soon as the way is back; so it only ever makes something quicker that happens
 * without it too. In one process there is nobody to tell.
 */
export interface Notices {
  /** Never throws and never waits. What one process publishes arrives in its order. */
  publish(notice: Notice): void
  /** From the moment this resolves, what others publish arrives. Resolves also when the others cannot be reached yet. */
  listen(listener: NoticeListener): Promise<void>
  close(): Promise<void>
}
