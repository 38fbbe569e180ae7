import { emptyMessageEmail, type Message } from '@crmkit/core'
import type { TenantId } from '../../src/storage/records.ts'
import type { RunningService } from '../support/start-service.ts'

interface MailParts {
  status: 'failed' | 'queued'

  tenantId: TenantId
  /** A message of a conversation, which the mail is a copy of. */
  message: Message
  inboxId: string
  marker: string
}

/** Stores a reply whose mail was refused for good, or one that waits for a long delay, and returns its id. */
export async function makeMail(
  { service: { storage, ids } }: Pick<RunningService, 'service'>,
  { status, tenantId, message, inboxId, marker }: MailParts,
): Promise<string> {
  const _id = ids.next('msg')
  const { createdAt, conversationId } = message
  const address = `${marker}@example.com`
  const later = new Date(Date.parse(createdAt) + 86_400_000).toISOString()
  await storage.forTenant(tenantId).commit({
    writes: [
      {
        op: 'insert',
        kind: 'messages',
        row: {
          ...message,
          _id,
          attachments: [],
          clientMessageId: null,
          direction: 'outbound',
          status,
          email: { ...emptyMessageEmail, to: [{ address, name: null }], subject: marker },
          recipients: [{ address, kind: 'to', status, code: null, text: marker }],
        },
      },
      {
        op: 'insert',
        kind: 'mailSends',
        row: {
          _id,
          tenantId,
          conversationId,
          inboxId,
          status: status === 'queued' ? 'queued' : 'done',
          dueAt: status === 'queued' ? later : null,
          lockToken: null,
          tries: 0,
          sendAt: later,
          giveUpAt: later,
          references: [],
          quotedMessageId: null,
          attempts: [],
          createdAt,
          updatedAt: createdAt,
        },
      },
    ],
    events: [],
  })
  return _id
}
