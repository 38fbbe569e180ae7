import { type Conversation, changesBetween, customerEvent, type DomainEvent } from '@crmkit/core'
import type { Change, Write } from '../../ports/change.ts'
import { activityWrites, bySystem, changedLog, createdLog } from '../../shared/conversation-log.ts'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import type { PagePlan } from '../plan/page-plan.ts'

/**
 * Returns one event for each customer and conversation that the page writes; none where the run emits no events. A changed
 * conversation has its activities in any case. A new one has none: its beginning is that of the source, and is in the conversation.
 */
export async function logOfPage(plan: PagePlan): Promise<Change> {
  const writes = activitiesOfPage(plan)
  if (!plan.context.emitEvents) return { writes, events: [] }
  return { writes, events: [...customerEvents(plan), ...(await conversationEvents(plan))] }
}

function activitiesOfPage({ context: { ids }, set, now }: PagePlan): Write[] {
  return set.changed('conversations').flatMap(({ before, row }) => {
    if (before === undefined) return []
    const changes = changesBetween(before, row)
    return activityWrites({ ids, now }, { conversation: row, changes, by: bySystem })
  })
}

function customerEvents({ context, set, now }: PagePlan): DomainEvent[] {
  return set.changed('customers').flatMap(({ before, row }) => {
    const customer = customerOfRecord(row)
    const event = { customer, eventId: context.ids.next('evt'), now }
    if (before === undefined) return [customerEvent('customer.created', event)]
    const changes = changesBetween(customerOfRecord(before), customer)
    return Object.keys(changes).length === 0
      ? []
      : [customerEvent('customer.updated', { ...event, changes, mergedFrom: row.mergedFrom })]
  })
}

async function conversationEvents({ context, set, now }: PagePlan): Promise<DomainEvent[]> {
  const changed = set.changed('conversations')
  await set.load(
    'customers',
    changed.flatMap(({ row }) => row.customerId ?? []),
  )
  return changed.flatMap(({ before, row }) => {
    const found = row.customerId === null ? undefined : set.find('customers', row.customerId)
    const logged = {
      conversation: row as Conversation,
      customer: found ? customerOfRecord(found) : null,
      by: bySystem,
    }
    const parts = { ids: context.ids, now }
    if (before === undefined) return createdLog(parts, logged).events
    return changedLog(parts, { ...logged, changes: changesBetween(before, row) }).events
  })
}
