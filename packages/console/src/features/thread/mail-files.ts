import type { Attachment } from '@crmkit/sdk'
import { showFile } from '../../mail-frame/frame-messages.ts'
import type { Store } from '../../store/store.ts'
import { readFile } from './attachment.tsx'

/** The address of a file as the HTML of a mail names it. */
export const srcOf = ({ _id }: Attachment): string => `/api/v1/attachments/${_id}`

interface MailWithFiles {
  readonly html: string
  readonly files: readonly Attachment[]
}

/** Sends the page of a mail the pictures that its HTML names: the page itself has no credential, and asks the service for nothing. */
export function sendFiles(frame: Window, store: Store, { html, files }: MailWithFiles): void {
  for (const file of files) {
    const src = srcOf(file)
    if (!html.includes(`"${src}"`)) continue
    readFile(store, file).then(
      // The frame's origin is opaque, so no target origin names it; the picture is one of the mail that it holds.
      (bytes) => frame.postMessage(showFile({ src, bytes }), '*'),
      // Its alternative text stays, and the file is below the mail.
      () => undefined,
    )
  }
}
