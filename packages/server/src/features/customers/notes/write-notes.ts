import {
  conflict,
  type createCustomerNote,
  type deleteCustomerNote,
  notesPerCustomerMax,
  type StoredCustomerNote,
  type updateCustomerNote,
} from '@crmkit/core'
import type { Change, Write } from '../../../ports/change.ts'
import type { TenantReads } from '../../../ports/storage.ts'
import { removalOf } from '../../../shared/removal-of.ts'
import { authorOf } from '../../conversations/author.ts'
import { customerGuard } from '../../conversations/conversation-references.ts'
import type { Handler } from '../../handler.ts'
import { assertCustomer, assertMayChange, getNote, notesSignal } from './find-note.ts'

/** With fewer notes so many requests would have to count before the commit of any of them. */
const guardedFrom = notesPerCustomerMax / 2

/**
 * Returns the part of a change that keeps a customer within the limit when requests meet: nothing for the few notes that most
 * customers have. Throws CONFLICT at the limit.
 */
async function guardOfLimit(
  store: TenantReads,
  customerId: string,
): Promise<Pick<Change, 'expectTenantVersion'>> {
  const count = async () => (await store.customerNotes.list({ customerId, page: 1, limit: 1 })).total
  if ((await count()) < guardedFrom) return {}
  // Read before the count: no note that the count misses is written before the commit.
  const expectTenantVersion = await store.version()
  if ((await count()) >= notesPerCustomerMax)
    throw conflict(`A customer has at most ${notesPerCustomerMax} notes`, { limit: notesPerCustomerMax })
  return { expectTenantVersion }
}

export const handleCreateCustomerNote: Handler<typeof createCustomerNote> = async (
  { store, tenantId, actor, ids, now },
  { params: { id: customerId }, body },
) => {
  await assertCustomer(store, customerId)
  const guard = await guardOfLimit(store, customerId)
  const row: StoredCustomerNote = {
    _id: ids.next('cno'),
    tenantId,
    customerId,
    content: body.content,
    contentType: body.contentType ?? 'text',
    author: authorOf(actor),
    createdAt: now,
    updatedAt: now,
  }
  return {
    change: {
      writes: [...customerGuard(customerId), { op: 'insert', kind: 'customerNotes', row }],
      events: [],
      ...guard,
    },
    reply: { success: true, data: { ...row, version: 1 } },
    live: [notesSignal(customerId)],
  }
}

export const handleUpdateCustomerNote: Handler<typeof updateCustomerNote> = async (
  { store, actor, now },
  { params, body },
) => {
  const note = await getNote(store, params)
  assertMayChange(actor, note)
  const { expectedVersion = null, content = note.content, contentType = note.contentType } = body
  if (expectedVersion !== null && expectedVersion !== note.version)
    throw conflict('The note has another version', { note })
  if (content === note.content && contentType === note.contentType)
    return { reply: { success: true, data: note } }
  const set = { content, contentType, updatedAt: now }
  const { _id: id, version: expectVersion, customerId } = note
  const write: Write = { op: 'update', kind: 'customerNotes', id, expectVersion, set }
  return {
    change: { writes: [write], events: [] },
    reply: { success: true, data: { ...note, ...set, version: expectVersion + 1 } },
    live: [notesSignal(customerId)],
  }
}

export const handleDeleteCustomerNote: Handler<typeof deleteCustomerNote> = async (
  { store, actor },
  { params },
) => {
  const note = await getNote(store, params)
  assertMayChange(actor, note)
  return {
    change: { writes: [removalOf('customerNotes', note)], events: [] },
    reply: { success: true, message: 'Note deleted' },
    live: [notesSignal(note.customerId)],
  }
}
