import { type deleteCustomer, makeEvent, normalizeEmail, notFound } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import { removedLinks } from '../../shared/given-link.ts'
import type { Handler } from '../handler.ts'

export const handleDeleteCustomer: Handler<typeof deleteCustomer> = async (
  { store, ids, now, tenantId },
  { params: { id } },
) => {
  const customer = await store.customers.find(id)
  if (customer === undefined) throw notFound()
  const links = await removedLinks(store, customer)
  const { email } = customer.profile
  const mails = email === null ? [] : [mailsTask({ id, email, tenantId, taskId: ids.next('tsk'), now })]
  const event = makeEvent({
    id: ids.next('evt'),
    type: 'customer.deleted',
    now,
    subjects: [id],
    data: { _id: id },
  })
  return {
    change: {
      writes: [...links, ...mails, { op: 'erase', kind: 'customers', id, at: now }],
      events: [event],
    },
    audit: { action: 'customer.deleted', target: { type: 'customer', _id: id } },
    reply: { success: true, message: 'Customer deleted' },
  }
}

interface ErasedSender {
  id: string
  email: string
  tenantId: string
  taskId: string
  now: string
}

/** Mails that no conversation holds are found by the address, which is deleted with the customer's row. */
function mailsTask({ id, email, tenantId, taskId, now }: ErasedSender): Write {
  const row = {
    _id: taskId,
    tenantId,
    type: 'eraseMails' as const,
    subjectId: id,
    targetId: normalizeEmail(email),
    requestedAt: now,
  }
  return { op: 'insert', kind: 'tasks', row }
}
