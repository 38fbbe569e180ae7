import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'

/** The number of a customer's conversations, in words. */
export async function countConversations(store: Store, customerId: string): Promise<string> {
  const { total, totalIsEstimate } = await store.crm.conversations.list({ customerId, limit: 1 })
  return more.erase.conversations(t.common.count(total, totalIsEstimate))
}
