import { Failure, isRoleAtLeast, notFound, type StoredCustomerNote } from '@crmkit/core'
import type { LiveSignal } from '../../../ports/live.ts'
import type { TenantReads } from '../../../ports/storage.ts'
import type { Stored } from '../../../storage/records.ts'
import type { Actor } from '../../caller.ts'

export type NoteRow = Stored<StoredCustomerNote>

interface NoteParams {
  id: string
  noteId: string
}

/** Throws NOT_FOUND where there is no such customer. The notes of an erased one outlive the row for a moment. */
export async function assertCustomer(store: TenantReads, id: string): Promise<void> {
  if ((await store.customers.find(id)) === undefined) throw notFound()
}

/** Returns a note about a customer. Throws NOT_FOUND where it is about another one. */
export async function getNote(store: TenantReads, { id, noteId }: NoteParams): Promise<NoteRow> {
  await assertCustomer(store, id)
  const note = await store.customerNotes.find(noteId)
  if (note?.customerId !== id) throw notFound()
  return note
}

/** Throws PERMISSION_DENIED for the note of somebody else, unless the caller is an admin. */
export function assertMayChange(actor: Actor, { author }: NoteRow): void {
  if (author._id === actor._id) return
  if (actor.type === 'user' && isRoleAtLeast(actor.role, 'admin')) return
  throw new Failure('PERMISSION_DENIED', 'Only its author or an admin can change or delete a note', {
    extra: { required: 'admin', granted: actor.type === 'user' ? actor.role : 'API key' },
  })
}

/** Returns the live event of a change of notes, which never holds their text. */
export function notesSignal(customerId: string): LiveSignal {
  return { event: 'customer.notes', data: { customerId } }
}
