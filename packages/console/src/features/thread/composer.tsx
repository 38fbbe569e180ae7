import type { JSX } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import { type Draft, isEmpty } from '../../store/draft.ts'
import { readable } from '../../store/mentions.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { keyText } from '../../ui/key-text.ts'
import { showToast } from '../../ui/toasts.tsx'
import { MessageField } from './message-field.tsx'
import { Recipients } from './recipients.tsx'
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
}

/** The field for the next message. Its text survives a reload, and the end of the session. */
export function Composer(props: ComposerProps): JSX.Element {
  const { store, conversationId, customerName, draft, refusal, onDraft, onFocus } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const { uploading, attach } = useUploads(store, conversationId)
  const [isDropping, setDropping] = useState(false)
  const isNote = draft.type === 'note'
  const suggested = useRecipients(store, conversationId, !isEmpty(draft))
  const isToNobody = suggested?.sendsMail === true && suggested.to.length + draft.to.length === 0
  const [hasWrongAddress, setWrongAddress] = useState(false)
  const canSend =
    (draft.content.trim() !== '' || draft.attachments.length > 0) &&
    uploading.length === 0 &&
    (isNote || !(hasWrongAddress || isToNobody))
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
        onText={(content) => onDraft({ content })}
        onFocus={onFocus}
        onFiles={attach}
        onCannedReply={props.onCannedReply}
      />
      <div class="composer-foot">
        <div class="composer-files">
          <AttachButton attach={attach} />
          <IconButton icon="text" label={t.composer.cannedReply} onClick={props.onCannedReply} />
          <Files store={store} conversationId={conversationId} draft={draft} uploading={uploading} />
        </div>
        <div class="composer-files">
          {!isNote && (
            <>
              <IconButton icon="clock" label={t.plan.title} isDisabled={!canSend} onClick={props.onPlan} />
              <Button
                name="send-and-close"
                isDisabled={!canSend}
                hint={keyText('⌘⇧⏎')}
                onClick={() => send(true)}
              >
                {t.composer.sendAndClose}
              </Button>
            </>
          )}
          <Button kind="primary" type="submit" isDisabled={!canSend} hint={keyText('⌘⏎')}>
            {isNote ? t.composer.addNote : t.composer.send}
          </Button>
        </div>
      </div>
    </form>
  )
}

function AttachButton({ attach }: Pick<ReturnType<typeof useUploads>, 'attach'>): JSX.Element {
  const id = useId()
  return (
    <>
      <label class="button button-plain button-small" for={id}>
        {t.composer.attach}
      </label>
      <input
        id={id}
        class="hidden-text"
        type="file"
        multiple
        onChange={({ currentTarget }) => {
          attach(currentTarget.files)
          currentTarget.value = ''
        }}
      />
    </>
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

interface FilesProps extends Pick<ComposerProps, 'store' | 'conversationId' | 'draft'> {
  readonly uploading: readonly string[]
}

function Files({ store, conversationId, draft, uploading }: FilesProps): JSX.Element {
  const remove = (id: string) =>
    store.drafts.change(conversationId, (now) => ({
      ...now,
      attachments: now.attachments.filter(({ _id }) => _id !== id),
    }))
  return (
    <>
      {draft.attachments.map((file) => (
        <span key={file._id} class="file" dir="auto">
          {file.filename}
          <IconButton
            icon="close"
            label={t.composer.removeFile(file.filename)}
            onClick={() => remove(file._id)}
          />
        </span>
      ))}
      {uploading.map((name) => (
        <span key={name} role="status">
          {t.composer.uploading(name)}
        </span>
      ))}
    </>
  )
}

/**
 * Uploads begin as soon as a file is chosen; a message may be sent when all have ended. Several end at the same moment, so each
 * adds its file to the draft as it is then.
 */
function useUploads(store: Store, conversationId: string) {
  const [uploading, setUploading] = useState<readonly string[]>([])
  const upload = async (file: File) => {
    setUploading((names) => [...names, file.name])
    try {
      const made = await store.crm.attachments.create(file)
      store.drafts.change(conversationId, (draft) => ({
        ...draft,
        attachments: [...draft.attachments, made],
      }))
    } catch (error) {
      showToast(t.composer.uploadFailed(file.name), { reason: problemOf(error) })
    }
    setUploading((names) => names.toSpliced(names.indexOf(file.name), 1))
  }
  const attach = (files: FileList | undefined | null) => {
    for (const file of files ?? []) void upload(file)
  }
  return { uploading, attach }
}
