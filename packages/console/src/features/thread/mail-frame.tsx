import type { Attachment, MessageEmail } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { frameMessageOf, showMail } from '../../mail-frame/frame-messages.ts'
import { t } from '../../strings/strings.ts'
import { basePath } from '../../ui/navigation.ts'
import { sendFiles } from './mail-files.ts'
import { MailImages, type MailImagesProps } from './mail-images.tsx'

/** CSS pixels; a longer mail scrolls inside. */
const heightMax = 2_000

/** Opens a link of a mail in another tab, unless it leads to something else than a page or a mail. */
function openLink(href: string): void {
  const url = URL.parse(href)
  if (url === null || !['https:', 'http:', 'mailto:'].includes(url.protocol)) return
  // Header fields behind an address could fill in copies, or a file of the reader.
  if (url.protocol === 'mailto:') url.search = ''
  window.open(url.href, '_blank', 'noopener,noreferrer')
}

interface MailFrameProps extends Pick<MailImagesProps, 'email' | 'place'> {
  readonly html: string
  /** Of the message; the pictures among them that the HTML names are shown in it. */
  readonly files: readonly Attachment[]
}

const noQuotations: MessageEmail['quoted'] = []

/** The HTML of a mail in a sandboxed page with an origin of its own, where no script of the mail runs. */
export function MailFrame({ html, email, files, place }: MailFrameProps): JSX.Element {
  const quoted = email?.quoted ?? noQuotations
  const ref = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(120)
  const [hasImages, setHasImages] = useState(false)
  // An effect after the paint is too late: a frame from the browser's cache is ready before it, and would stay empty.
  useLayoutEffect(() => {
    const receive = ({ source, data }: MessageEvent) => {
      const frame = ref.current?.contentWindow
      if (!frame || source !== frame) return
      const message = frameMessageOf(data)
      // The frame's origin is opaque, so no target origin names it; it only ever holds this mail.
      if (message?.type === 'mail-ready') {
        frame.postMessage(showMail({ html, quoted, label: t.thread.quoted, hasImages }), '*')
        sendFiles(frame, place.store, { html, files })
      } else if (message?.type === 'mail-height') setHeight(Math.min(Math.max(message.height, 40), heightMax))
      else if (message?.type === 'mail-link') openLink(message.href)
    }
    window.addEventListener('message', receive)
    return () => window.removeEventListener('message', receive)
  }, [html, quoted, hasImages])
  return (
    <div class="message-body">
      {html.includes('<img data-remote=') && (
        <MailImages email={email} place={place} isShown={hasImages} onShow={setHasImages} />
      )}
      {/* Another frame, not another address of the same one: a navigation that crosses the first one may be lost. */}
      <iframe
        key={hasImages}
        ref={ref}
        class="mail-frame"
        title={t.thread.mail}
        sandbox="allow-scripts"
        src={`${basePath}mail-frame${hasImages ? '?images' : ''}`}
        style={{ height: `${height}px` }}
      />
    </div>
  )
}
