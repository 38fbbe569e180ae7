import { normalizeEmail } from '@crmkit/core'
import type { Write } from '../ports/change.ts'
import type { TenantStore } from '../ports/storage.ts'
import type { MailTags } from '../security/mail-tags.ts'
import type { BouncedRecipient, BounceFacts } from './mail-facts.ts'

export interface PlannedBounce {
  writes: Write[]
  conversationId: string
}

/**
 * Returns the writes of a report about a mail of ours: it names our signed Message-ID and a recipient of that message.
 * Undefined for any other report, which is an ordinary mail, so that nobody can report a stranger's address.
 */
export async function planBounce(
  store: TenantStore,
  tags: MailTags | undefined,
  { bounce, now }: { bounce: BounceFacts; now: string },
): Promise<PlannedBounce | undefined> {
  const id = bounce.returnedMessageId ?? ''
  const messageId = tags?.messageOf(id.slice(0, Math.max(0, id.lastIndexOf('@'))))
  const message = messageId === undefined ? undefined : await store.messages.find(messageId)
  if (message?.recipients === undefined) return undefined
  const reports = new Map(bounce.recipients.map((recipient) => [recipient.address, recipient]))
  const isNamed = message.recipients.some(({ address }) => reports.has(normalizeEmail(address)))
  if (!isNamed) return undefined
  const recipients = message.recipients.map((recipient) => {
    const report = reports.get(normalizeEmail(recipient.address))
    return report === undefined ? recipient : { ...recipient, ...reportOf(report) }
  })
  const { _id, version, conversationId } = message
  const set = { recipients, updatedAt: now }
  return {
    writes: [{ op: 'update', kind: 'messages', id: _id, expectVersion: version, set }],
    conversationId,
  }
}

/** A delayed mail may still arrive: only the sentence of the report is noted. */
function reportOf({ action, status, text }: BouncedRecipient) {
  const sentence = [status, text].filter(Boolean).join(' ') || null
  return action === 'failed' ? { status: 'failed' as const, text: sentence } : { text: sentence }
}
