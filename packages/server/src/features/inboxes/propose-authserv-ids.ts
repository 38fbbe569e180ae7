import { noEmailSettings } from '@crmkit/core'
import { receivingServerOf } from '../../mail/parse/authentication-results.ts'
import { readHeaders } from '../../mail/parse/header-block.ts'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import { firstPieces } from '../../shared/first-pieces.ts'
import type { InboundMailRecord } from '../../storage/kinds/inbound-mails.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { HandlerContext } from '../handler.ts'

const mailsRead = 20
const agreeingMin = 18
const headBytesMax = 64 * 1024

/** Returns the server that nearly all newest mails of an inbox name as the one that checked them; nothing where the inbox believes it already. */
export async function proposeAuthservIds(
  { store, services }: Pick<HandlerContext, 'store' | 'services'>,
  inbox: InboxRecord,
): Promise<string[]> {
  const page = { order: '-createdAt', page: 1, limit: mailsRead } as const
  const { rows } = await store.inboundMails.listRows({ inboxId: inbox._id, ...page })
  if (rows.length < agreeingMin) return []
  const servers = await Promise.all(rows.map((mail) => serverOfMail(services.attachments, mail)))
  const { authservIds } = inbox.email ?? noEmailSettings
  const isAgreed = (server: string) => servers.filter((one) => one === server).length >= agreeingMin
  const found = servers.find((server) => server !== null && isAgreed(server))
  return found === undefined || found === null || authservIds.includes(found) ? [] : [found]
}

async function serverOfMail(
  attachments: Pick<AttachmentStore, 'read'>,
  { tenantId, attachmentId, door, rawDeletedAt }: InboundMailRecord,
): Promise<string | null> {
  if (rawDeletedAt !== null) return null
  const pieces = await firstPieces(attachments, { tenantId, id: attachmentId }, headBytesMax)
  if (pieces === undefined) return null
  // The service's own SMTP port writes the topmost one.
  return receivingServerOf(readHeaders(Buffer.concat(pieces)), { ownHops: door === 'smtp' ? 1 : 0 })
}
