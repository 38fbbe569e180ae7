import type { ComponentType, JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Problem } from '../../api/problem.ts'
import { type Draft, isBlank, isEmpty } from '../../store/draft.ts'
import { readable } from '../../store/mentions.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { keyText } from '../../ui/key-text.ts'
import { Menu } from '../../ui/menu.tsx'
import type { ComposerToolsProps } from './composer-tools.tsx'
import { Written } from './markdown.tsx'
import { MessageField } from './message-field.tsx'
import { Recipients } from './recipients.tsx'
import { AttachButton, Files, useUploads } from './uploads.tsx'
import { useRecipients } from './use-recipients.ts'

interface ComposerProps {
  readonly store: Store
  readonly conversationId: string
  readonly customerName: string
  readonly draft: Draft
  /** Why the service has refused the text that was taken back into the field. */
  readonly refusal: Problem | undefined
  /** Gets the fields that a person has changed. */
  readonly onDraft: (changed: Partial<Draft>) => void
  /** Whether the field has the focus. */
  readonly onFocus: (hasFocus: boolean) => void
  /** Closes the conversation, unless somebody else has written after the message with this id. */
  readonly onClose: (lastSeenId: string | undefined) => void
  /** Opens the choice of a time. */
  readonly onPlan: () => void
  /** Opens the canned replies. */
  readonly onCannedReply: () => void
  /** The formats of the text, whose code is loaded later. */
  readonly Tools: ComponentType<ComposerToolsProps>
}

/** The field for the next message. Its text survives a reload, and the end of the session. */
export function Composer(props: ComposerProps): JSX.Element {
  const { store, conversationId, customerName, draft, refusal, onDraft, onFocus } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const { uploading, attach } = useUploads(store, conversationId)
  const [isDropping, setDropping] = useState(false)
  const [isPreviewed, setPreviewed] = useState(true)
  const isNote = draft.type === 'note'
  const suggested = useRecipients(store, conversationId, !isEmpty(draft))
  const isToNobody = suggested?.sendsMail === true && suggested.to.length + draft.to.length === 0
  const [hasWrongAddress, setWrongAddress] = useState(false)
  const canSend = !isBlank(draft) && uploading.length === 0 && (isNote || !(hasWrongAddress || isToNobody))
  const send = (isClosing = false) => {
    if (!canSend) return
    const ifSeq = store.conversations.rows.peek(conversationId)?.seq ?? 0
    const lastSeenId = store.threads.open(conversationId).peek().messages.at(-1)?._id
    const onSent = isClosing ? () => props.onClose(lastSeenId) : undefined
    void store.outgoing.send(conversationId, draft, { ifSeq, onSent })
  }
  return (
    <form
      class={`composer ${isNote ? 'composer-note' : ''} ${isDropping ? 'composer-dropping' : ''}`}
      aria-label={t.composer.label}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onDragOver={(event) => {
        event.preventDefault()
        setDropping(true)
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        event.preventDefault()
        setDropping(false)
        attach(event.dataTransfer?.files)
      }}
    >
      <Tabs
        type={draft.type}
        onType={(type) => {
          // The ids of a note say nothing to a customer.
          onDraft({ type, content: type === 'reply' ? readable(draft, store.users.peek()) : draft.content })
          field.current?.focus()
        }}
      />
      {!isNote && (
        <Recipients
          store={store}
          conversationId={conversationId}
          customerName={customerName}
          draft={draft}
          suggested={suggested}
          refusal={refusal}
          onDraft={onDraft}
          onWrong={setWrongAddress}
        />
      )}
      <MessageField
        store={store}
        field={field}
        draft={draft}
        customerName={customerName}
        onText={(content) => onDraft(content === '' ? { content, contentType: 'text' } : { content })}
        onFocus={onFocus}
        onFiles={attach}
        onCannedReply={props.onCannedReply}
      />
      <props.Tools
        field={field}
        contentType={draft.contentType}
        isPreviewed={isPreviewed}
        onContentType={(contentType) => onDraft({ contentType })}
        onPreview={setPreviewed}
      />
      {isPreviewed && draft.contentType === 'markdown' && draft.content.trim() !== '' && (
        <section class="draft-card" aria-label={t.composer.preview}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll it only when it can have the focus */}
          <div class="draft-text" dir="auto" tabIndex={0}>
            <Written content={readable(draft, store.users.value)} contentType="markdown" />
          </div>
        </section>
      )}
      <div class="composer-foot">
        <div class="composer-files">
          <AttachButton attach={attach} />
          <IconButton icon="text" label={t.composer.cannedReply} onClick={props.onCannedReply} />
          <Files store={store} conversationId={conversationId} draft={draft} uploading={uploading} />
        </div>
        <div class="composer-files">
          <Button kind="primary" type="submit" isDisabled={!canSend} hint={keyText('⌘⏎')}>
            {isNote ? t.composer.addNote : t.composer.send}
          </Button>
          {!isNote && (
            <Menu
              label={t.composer.moreWays}
              isDisabled={!canSend}
              items={[
                {
                  name: 'send-and-close',
                  text: t.composer.sendAndClose,
                  key: '⌘⇧⏎',
                  onChoose: () => send(true),
                },
                { name: 'send-later', text: t.plan.title, key: 't', onChoose: props.onPlan },
              ]}
            />
          )}
        </div>
      </div>
    </form>
  )
}

interface TabsProps {
  readonly type: Draft['type']
  readonly onType: (type: Draft['type']) => void
}

function Tabs({ type: chosen, onType }: TabsProps): JSX.Element {
  return (
    <div class="composer-tabs">
      {(['reply', 'note'] as const).map((type) => (
        <button key={type} type="button" aria-pressed={chosen === type} onClick={() => onType(type)}>
          {t.composer[type]}
        </button>
      ))}
    </div>
  )
}
