import type { TaskHandler } from '../../jobs/run-tasks.ts'
import type { Change } from '../../ports/change.ts'
import { hasOlderHolder } from '../../shared/erased-address.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { mailRemoval } from '../../shared/mail-removal.ts'
import { emailForms } from '../../storage/rules/email-forms.ts'
import { type AddressErasure, conversationPage } from './erase-address-in-conversation.ts'

/** Mails of one commit. */
const pageSize = 50

/** Deletes mails that no conversation holds, with their bytes. */
async function mailPage({ store, address, until, now }: AddressErasure): Promise<Change | undefined> {
  for (const unlinkedSender of emailForms(address)) {
    const found = await store.inboundMails.listRows({
      unlinkedSender,
      sort: 'createdAt',
      page: 1,
      limit: pageSize,
    })
    const rows = found.rows.filter(({ receivedAt }) => receivedAt <= until)
    if (rows.length === 0) continue
    const writes = await Promise.all(rows.map((row) => mailRemoval(store, row, now)))
    return { writes: writes.flat(), events: [] }
  }
  return undefined
}

/** Erases the address in the conversations whose mails name it. */
async function usePage(erasure: AddressErasure): Promise<Change | undefined> {
  const { store, address, until } = erasure
  const { rows } = await store.addressUses.listRows({ address, page: 1, limit: 1 })
  const [use] = rows
  return use === undefined || use.createdAt > until ? undefined : conversationPage(erasure, use)
}

/**
 * Erases what an address of an erased customer has left until the request. Decided when it runs: while another living
 * customer who was made before the request has the address, all of it may be theirs.
 */
export const eraseNextOfAddress: TaskHandler = async (ctx, task) => {
  const { targetId: address, requestedAt: until } = task
  if (address === null) throw new Error(`task ${task._id} has no address`)
  if (await hasOlderHolder(ctx.store, address, until)) return undefined
  passFaultPoint('between-erasure-pages')
  const erasure = { ...ctx, address, until, taskId: task._id }
  return (await mailPage(erasure)) ?? usePage(erasure)
}
