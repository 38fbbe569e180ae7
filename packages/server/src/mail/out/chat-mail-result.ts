import { type IdFactory, type Message, messageUpdatedEvent, shownMessage } from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import { isAuthorRestricted } from '../../shared/message-status-change.ts'
import { type Stored, withoutVersion } from '../../storage/records.ts'

type Recipients = Message['recipients']

/**
 * Returns the change by which messages of a chat get other recipients of their mail. They stay `sent`: the chat has them, whatever
 * becomes of the mail.
 */
export async function chatRecipientsChange(
  { store, ids, now }: { store: TenantReads; ids: IdFactory; now: string },
  rows: readonly Stored<Parameters<typeof shownMessage>[0]>[],
  recipientsOf: (before: Recipients) => Recipients,
): Promise<Change> {
  const change: Change = { writes: [], events: [] }
  const [first] = rows
  const conversation = first && (await store.conversations.find(first.conversationId))
  if (conversation === undefined) return change
  const { customerId } = conversation
  const customer = customerId === null ? undefined : await store.customers.find(customerId)
  for (const row of rows) {
    const before = shownMessage(withoutVersion(row))
    const recipients = recipientsOf(before.recipients)
    if (JSON.stringify(recipients) === JSON.stringify(before.recipients)) continue
    const set = { recipients, updatedAt: now }
    change.writes.push({ op: 'update', kind: 'messages', id: row._id, expectVersion: row.version, set })
    const parts = {
      message: { ...before, ...set },
      conversation,
      customer: customer ? customerOfRecord(customer) : null,
      isAuthorRestricted: await isAuthorRestricted(store, before.sender),
      nextEventId: () => ids.next('evt'),
      now,
    }
    const changes = { recipients: { from: before.recipients, to: recipients } }
    change.events.push(messageUpdatedEvent(parts, changes))
  }
  return change
}
