import { addressesAfter } from '../../shared/learn-addresses.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { PagePlan } from './page-plan.ts'

/**
 * Adds what a page says about people's addresses: the e-mails and phone numbers that it replaces, and the further ones of its
 * records. A customer with a new address is written, so that a merge at the same moment conflicts.
 */
export async function learnAddresses(plan: PagePlan): Promise<void> {
  const { set, context } = plan
  if (context.isDryRun) return
  const changed = set.changed('customers').map(({ row }) => row._id)
  for (const id of new Set([...changed, ...set.namedAddresses.keys()])) {
    const [before, after] = [set.findStored('customers', id), set.find('customers', id)]
    if (after !== undefined) await learn(plan, { before, after })
    if (set.pauses.isDue()) await set.pauses.take()
  }
}

async function learn(
  plan: PagePlan,
  { before, after }: { before: CustomerRecord | undefined; after: CustomerRecord },
): Promise<void> {
  const { context, set, now } = plan
  const addresses = [...(set.namedAddresses.get(after._id) ?? [])]
  const more = { addresses, source: 'import', madeBy: context.runId } as const
  const learnt = await addressesAfter(context.store, { before, after, more, now })
  plan.writes.push(...learnt.writes)
  const isChanged = Object.keys(learnt.set).length > 0
  if (isChanged || learnt.writes.length > 0) set.put('customers', { ...after, ...learnt.set })
  if (learnt.set.typedEmail === undefined) return
  const owners = { customerId: after._id, conversationId: null }
  const restored = { typedEmail: after.typedEmail ?? null }
  plan.keepForUndo({ kind: 'customers', id: after._id, before: restored }, owners)
}
