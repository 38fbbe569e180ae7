import type { Inbox } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { serviceAddress } from '../../api/addresses.ts'
import { putInbox } from '../../store/put-inbox.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { momentTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'

interface ChannelStepProps {
  readonly store: Store
  readonly isDone: boolean
  readonly attempt: (work: () => Promise<unknown>) => Promise<void>
}

/** No event says that a page has loaded the widget, so the inbox is read again while somebody waits for it. */
const askingMs = 3_000

/** Connects the chat of a website: the lines for its page, and whether a page has them. */
export function ChannelStep({ store, isDone, attempt }: ChannelStepProps): JSX.Element {
  const inbox = store.inboxes.value.find(({ isDefault }) => isDefault)
  const isOn = inbox?.widget.enabled === true
  const seen = inbox?.widget.lastSeen ?? null
  useEffect(() => {
    if (!inbox || !isOn || isDone) return
    const timer = setInterval(() => void readAgain(store, inbox).catch(() => undefined), askingMs)
    return () => clearInterval(timer)
  }, [inbox?._id, isOn, isDone])
  if (inbox === undefined) return <p>{more.setup.channel}</p>
  return (
    <>
      <p>{more.setup.channel}</p>
      {isOn ? (
        <>
          <CopyText label={more.setup.snippet} text={snippetOf(inbox)} />
          <p role="status">{seen ? more.setup.seen(seen.origin, momentTime(seen.at)) : more.setup.notSeen}</p>
        </>
      ) : (
        <Button kind="primary" onClick={() => void attempt(() => switchOn(store, inbox))}>
          {more.setup.widgetOn}
        </Button>
      )}
    </>
  )
}

function snippetOf({ widget }: Inbox): string {
  return `<script async src="${serviceAddress}/widget/v1.js" data-key="${widget.publicKey}"></script>`
}

async function readAgain(store: Store, { _id }: Inbox): Promise<void> {
  putInbox(store, await store.crm.inboxes.get(_id))
}

/** The settings of the widget are replaced as a whole. */
async function switchOn(store: Store, { _id, widget }: Inbox): Promise<void> {
  const { allowedOrigins, greeting, color, identityRequired, askEmail, replyByMail } = widget
  const settings = {
    enabled: true,
    allowedOrigins,
    greeting,
    color,
    identityRequired,
    askEmail,
    replyByMail,
  }
  putInbox(store, await store.crm.inboxes.update(_id, { widget: settings }))
}
