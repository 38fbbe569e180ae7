import type { Message } from '@crmkit/sdk'
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { t } from '../../strings/strings.ts'
import { Button } from '../../ui/button.tsx'
import { MailFrame } from './mail-frame.tsx'
import type { MailImagesProps } from './mail-images.tsx'

/** The text of a message. Texts of people are text, never markup; HTML is shown in a page of its own. */
export function Body({
  message,
  place,
}: {
  readonly message: Pick<Message, 'content' | 'contentType' | 'email' | 'attachments'>
  readonly place: MailImagesProps['place']
}): JSX.Element {
  const { content, contentType, email, attachments } = message
  const quoted = email?.quoted ?? []
  return (
    <>
      {content === '' ? undefined : contentType === 'html' ? (
        <MailFrame html={content} email={email} files={attachments} place={place} />
      ) : (
        <div class="message-body" dir="auto">
          {quoted.map(({ from, to }, at) => (
            <>
              {linked(content.slice(quoted[at - 1]?.to, from).trimEnd())}
              <Quote text={content.slice(from, to).trim()} />
            </>
          ))}
          <Folded text={content.slice(quoted.at(-1)?.to)} />
        </div>
      )}
      {email?.truncated && <p>{t.thread.truncated}</p>}
    </>
  )
}

/** Longer texts are folded, so that one of them does not fill the thread. */
const unfoldedMax = { lines: 40, characters: 4_000 } as const

function Folded({ text }: { readonly text: string }): JSX.Element {
  const isLong =
    text.length > unfoldedMax.characters || text.split('\n', unfoldedMax.lines + 1).length > unfoldedMax.lines
  const [isWhole, setWhole] = useState(!isLong)
  if (isWhole) return <>{linked(text)}</>
  return (
    <>
      <div class="message-folded">{linked(text)}</div>
      <Button kind="plain" isSmall onClick={() => setWhole(true)}>
        {t.list.showAll}
      </Button>
    </>
  )
}

function Quote({ text }: { readonly text: string }): JSX.Element {
  const [isShown, setShown] = useState(false)
  return (
    <div>
      <Button kind="plain" isSmall onClick={() => setShown(!isShown)}>
        {isShown ? t.thread.hideQuoted : t.thread.quoted}
      </Button>
      {isShown && (
        <div class="message-quote" dir="auto">
          {linked(text)}
        </div>
      )}
    </div>
  )
}

// bounded: a beginning within the repetition is a letter that ends it well, so the text is read once.
const linkPattern = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}]/g

/** Addresses in a text as links to another tab, which learns nothing of this one. */
function linked(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let at = 0
  for (const { 0: address, index } of text.matchAll(linkPattern)) {
    parts.push(
      text.slice(at, index),
      <a href={address} target="_blank" rel="noopener noreferrer nofollow">
        {address}
      </a>,
    )
    at = index + address.length
  }
  parts.push(text.slice(at))
  return parts
}
