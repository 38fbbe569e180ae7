import type { Message } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { t } from '../../strings/strings.ts'
import { Button } from '../../ui/button.tsx'
import { MailFrame } from './mail-frame.tsx'
import type { MailImagesProps } from './mail-images.tsx'
import { Written } from './markdown.tsx'

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
              <Written content={content.slice(quoted[at - 1]?.to, from).trimEnd()} contentType="text" />
              <Quote text={content.slice(from, to).trim()} />
            </>
          ))}
          <Folded content={content.slice(quoted.at(-1)?.to)} contentType={contentType} />
        </div>
      )}
      {email?.truncated && <p>{t.thread.truncated}</p>}
    </>
  )
}

/** Longer texts are folded, so that one of them does not fill the thread. */
const unfoldedMax = { lines: 40, characters: 4_000 } as const

function Folded(text: Pick<Message, 'content' | 'contentType'>): JSX.Element {
  const { content } = text
  const isLong =
    content.length > unfoldedMax.characters ||
    content.split('\n', unfoldedMax.lines + 1).length > unfoldedMax.lines
  const [isWhole, setWhole] = useState(!isLong)
  if (isWhole) return <Written {...text} />
  return (
    <>
      <div class="message-folded">
        <Written {...text} />
      </div>
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
          <Written content={text} contentType="text" />
        </div>
      )}
    </div>
  )
}
