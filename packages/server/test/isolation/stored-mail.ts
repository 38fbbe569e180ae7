import { emptyMessageEmail, type Message } from '@crmkit/core'
import { VersionConflict } from '../../src/storage/errors.ts'
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
          recipients: [
            { address, kind: 'to', status, code: null, text: marker, bouncedAt: null, complainedAt: null },
          ],
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

/** Suppresses two addresses, as reports of mail servers do, and returns the id of the first one. */
export async function suppressTwo(
  { service: { storage, ids } }: Pick<RunningService, 'service'>,
  { tenantId, message, marker }: Pick<MailParts, 'tenantId' | 'message' | 'marker'>,
): Promise<string> {
  const { createdAt } = message
  const rows = [1, 2].map((count) => ({
    _id: ids.next('sup'),
    tenantId,
    address: `${marker.toLowerCase()}-${count}@example.com`,
    status: '5.1.1',
    text: `No mailbox of ${marker}`,
    messageId: message._id,
    customerId: null,
    createdAt,
    updatedAt: createdAt,
  }))
  const writes = rows.map((row) => ({ op: 'insert', kind: 'suppressedAddresses', row }) as const)
  await storage.forTenant(tenantId).commit({ writes, events: [] })
  return rows[0]?._id ?? ''
}

/** Stores two doors of an inbox that fail, which nobody looks at again, and returns the id of the first one. */
export async function failTwo(
  { service: { storage } }: Pick<RunningService, 'service'>,
  { tenantId, inboxId, marker }: { tenantId: TenantId; inboxId: string; marker: string },
): Promise<string> {
  const now = new Date().toISOString()
  const rows = (['mailbox', 'server'] as const).map((door) => ({
    _id: `${inboxId}.${door}`,
    tenantId,
    door,
    inboxId,
    integrationId: null,
    reason: `The server of ${marker} is away.`,
    isSignInRefused: false,
    since: now,
    worksSince: null,
    failingSince: now,
    mailedAt: null,
    waiting: 0,
    checkAt: null,
    createdAt: now,
    updatedAt: now,
  }))
  const writes = rows.map((row) => ({ op: 'insert', kind: 'doors', row }) as const)
  await storage.forTenant(tenantId).commit({ writes, events: [] })
  return rows[0]?._id ?? ''
}

/** Parks a mail without a sender as the job of mails does, which may do so first, or not run at all. */
export async function ensureParked(
  { service: { storage } }: Pick<RunningService, 'service'>,
  tenantId: TenantId,
  id: string,
): Promise<void> {
  const store = storage.forTenant(tenantId)
  for (;;) {
    const mail = await store.inboundMails.find(id)
    if (mail === undefined) throw new Error('The mail was not stored')
    if (mail.status === 'parked') return
    const set = { status: 'parked', reason: 'no_sender', dueAt: null, processedAt: mail.receivedAt } as const
    const write = { op: 'update', kind: 'inboundMails', id, expectVersion: mail.version, set } as const
    try {
      await store.commit({ writes: [write], events: [] })
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error
    }
  }
}
