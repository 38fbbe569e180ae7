import type { LiveEvent, LiveEventType } from '@crmkit/core'
import type { TenantId } from '../storage/records.ts'

/** A stream that gets live events. */
export interface LiveReader {
  readonly tenantId: TenantId
  readonly user: { readonly _id: string; readonly createdAt: string }
  readonly sessionId: string
  /** Whether the stream asks for events of this type, and may still see them. */
  hears(type: LiveEventType): boolean
  /** Whether the user is an admin now. */
  isAdmin(): boolean
  /** Returns false where the reader does not keep up: then the frame is lost. */
  send(frame: string): boolean
}

/** Returns the bytes of a live event. It has no id, so a client never names it as its position. */
export function frameOf(event: LiveEvent): string {
  return `event: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`
}

const none: ReadonlySet<LiveReader> = new Set()

/** The live streams of this process. */
export class LiveReaders {
  readonly #byTenant = new Map<TenantId, Set<LiveReader>>()

  /** Returns the function that removes it. */
  add(reader: LiveReader): () => void {
    const { tenantId } = reader
    const readers = this.#byTenant.get(tenantId) ?? new Set()
    this.#byTenant.set(tenantId, readers.add(reader))
    return () => {
      readers.delete(reader)
      if (readers.size === 0) this.#byTenant.delete(tenantId)
    }
  }

  of(tenantId: TenantId): ReadonlySet<LiveReader> {
    return this.#byTenant.get(tenantId) ?? none
  }

  tenants(): Iterable<TenantId> {
    return this.#byTenant.keys()
  }
}
