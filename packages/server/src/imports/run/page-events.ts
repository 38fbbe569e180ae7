import {
  type Conversation,
  changesBetween,
  conversationChangedEvents,
  conversationCreatedEvents,
  customerEvent,
  type DomainEvent,
} from '@crmkit/core'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import type { PagePlan } from '../plan/page-plan.ts'

/** Returns one event for each customer and conversation that the page writes; none where the run emits no events. */
export async function eventsOfPage(plan: PagePlan): Promise<DomainEvent[]> {
  if (!plan.context.emitEvents) return []
  return [...customerEvents(plan), ...(await conversationEvents(plan))]
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
    const parts = {
      conversation: row as Conversation,
      customer: found ? customerOfRecord(found) : null,
      nextEventId: () => context.ids.next('evt'),
      now,
    }
    if (before === undefined) return conversationCreatedEvents(parts)
    return conversationChangedEvents(parts, changesBetween(before, row))
  })
}
