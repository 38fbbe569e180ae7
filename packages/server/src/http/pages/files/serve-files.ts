import type { IncomingMessage } from 'node:http'
import { notFound } from '@crmkit/core'
import express, { type Router } from 'express'
import { openAttachment } from '../../../features/open-attachment.ts'
import { findMailTags } from '../../../mail/addresses/mail-key.ts'
import { fileLinkPrefix, isValidLink, parseFileLink } from '../../../mail/out/file-links.ts'
import type { AttachmentStore } from '../../../ports/attachment-store.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { SecretBox } from '../../../ports/secret-box.ts'
import type { Storage } from '../../../ports/storage.ts'
import type { DownloadSlots } from '../../backpressure/download-slots.ts'
import { clientAddress } from '../../credentials/client-address.ts'
import { sendDownload } from '../../response/send-download.ts'
import { type PageParts, servePage } from '../serve-page.ts'

interface FileParts extends PageParts {
  storage: Pick<Storage, 'forTenant'> & { system: Pick<Storage['system'], 'findTenant'> }
  services: { attachments: Pick<AttachmentStore, 'read' | 'sizeOf'> }
  secrets: SecretBox
  clock: Clock
  downloads: DownloadSlots
}

/**
 * The files that a mail names by a link, because they are too large for it. The link is the credential: it is signed, ends,
 * and is in no log. An invalid, a changed and an ended link get the same 404 as one to a deleted file.
 */
export function createFilePages(parts: FileParts): Router {
  const { downloads, log, trustedProxies } = parts
  const router = express.Router({ strict: true })
  router.all(
    `${fileLinkPrefix}{*file}`,
    servePage(parts, {
      path: fileLinkPrefix,
      respond: async (req, res, about) => {
        const download = await findFile(parts, req)
        await downloads.take(`address ${clientAddress(req, trustedProxies)}`, res)
        if (res.closed) return
        await sendDownload({ req, res, download, about, log })
      },
    }),
  )
  return router
}

async function findFile(
  { storage, services, secrets, clock }: FileParts,
  { url = '' }: IncomingMessage,
): Promise<Awaited<ReturnType<typeof openAttachment>>> {
  const [path = ''] = url.split('?', 1)
  const named = parseFileLink(path.slice(fileLinkPrefix.length))
  const tenant = named && (await storage.system.findTenant(named.tenantId))
  if (named === undefined || tenant === undefined || tenant.isSuspended) throw notFound()
  const store = storage.forTenant(tenant.tenantId)
  const tags = await findMailTags(store, secrets)
  if (!isValidLink(tags, named, clock.nowMs())) throw notFound()
  return openAttachment({ store, services }, named.attachmentId)
}
