import type { CannedReply } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { readCannedReplies, renderCannedReply } from '../../api/canned-replies.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import { named, replaced, storedOf } from '../../store/mentions.ts'
import { mayEdit } from '../../store/roles.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { Button } from '../../ui/button.tsx'
import { Chooser } from '../../ui/chooser.tsx'
import { ProblemBox } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { CannedReplyForm } from './canned-reply-form.tsx'
import type { ChangeProps } from './change-contents.tsx'
import { showFailure } from './change-conversation.ts'

/** The canned replies of the team and one's own for the inbox; the chosen one is put into the message at the cursor, with its values. */
export function CannedReplyContent({ store, conversation, onClose }: ChangeProps): JSX.Element {
  const [replies, setReplies] = useState<readonly CannedReply[]>()
  const [problem, setProblem] = useState<Problem>()
  const [doing, setDoing] = useState<'new' | 'choose to change' | CannedReply>()
  useEffect(() => {
    readCannedReplies(store.crm, conversation.inboxId).then(setReplies, (error) =>
      setProblem(problemOf(error)),
    )
  }, [])
  if (problem) return <ProblemBox title={more.cannedReplies.failed} reason={problem} />
  if (replies === undefined) return <p role="status">{more.cannedReplies.loading}</p>
  const editable = replies.filter((reply) => mayEdit(store.me, reply))
  if (doing === 'choose to change')
    return (
      <>
        <p>{more.cannedReplies.which}</p>
        <ReplyChooser
          key={doing}
          replies={editable}
          onChoose={(id) => setDoing(editable.find(({ _id }) => _id === id))}
        />
      </>
    )
  if (doing !== undefined || replies.length === 0)
    return (
      <>
        {replies.length === 0 && <p>{more.cannedReplies.none}</p>}
        <CannedReplyForm
          store={store}
          reply={typeof doing === 'object' ? doing : undefined}
          content={store.drafts.state(conversation._id).peek().draft.content}
          onClose={onClose}
        />
      </>
    )
  return (
    <>
      <ReplyChooser
        replies={replies}
        onChoose={(id) => {
          onClose()
          void insert(store, conversation._id, id)
        }}
      />
      <p class="dialog-buttons">
        <Button isSmall onClick={() => setDoing('new')}>
          {more.cannedReplies.new}
        </Button>
        {editable.length > 0 && (
          <Button isSmall onClick={() => setDoing('choose to change')}>
            {more.cannedReplies.change}
          </Button>
        )}
      </p>
    </>
  )
}

interface ReplyChooserProps {
  readonly replies: readonly CannedReply[]
  readonly onChoose: (id: string) => void
}

function ReplyChooser({ replies, onChoose }: ReplyChooserProps): JSX.Element {
  const choices = replies.map(({ _id, shortcut, title }) => ({ id: _id, text: `/${shortcut} ${title}` }))
  return <Chooser label={t.dialogs.filter} choices={choices} onChoose={onChoose} />
}

async function insert(store: Store, conversationId: string, id: string): Promise<void> {
  try {
    const { content, contentType, missing } = await renderCannedReply(store.crm, id, conversationId)
    const field = document.querySelector<HTMLTextAreaElement>('#composer')
    store.drafts.change(conversationId, (draft) => {
      // The cursor stands in the text that a person sees, where mentions have their names.
      const users = draft.type === 'note' ? store.users.peek() : []
      const shown = named(draft.content, users)
      const from = field?.selectionStart ?? shown.text.length
      return {
        ...draft,
        content: storedOf(replaced(shown, from, field?.selectionEnd ?? from, content)),
        contentType: draft.content === '' && contentType === 'markdown' ? 'markdown' : draft.contentType,
      }
    })
    field?.focus()
    if (missing.length > 0) showToast(more.cannedReplies.missing(missing.join(', ')))
  } catch (error) {
    showFailure(error)
  }
}
