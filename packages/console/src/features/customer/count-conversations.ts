import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'

/** The number of a customer's conversations, as a text. */
export async function countConversations(store: Store, customerId: string): Promise<string> {
  const { total, totalIsEstimate } = await store.crm.conversations.list({ customerId, limit: 1 })
  return t.common.count(total, totalIsEstimate)
}
