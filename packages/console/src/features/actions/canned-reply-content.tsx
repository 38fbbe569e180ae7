import type { CannedReply } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { readCannedReplies, renderCannedReply } from '../../api/canned-replies.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { Button } from '../../ui/button.tsx'
import { Chooser } from '../../ui/chooser.tsx'
import { ProblemBox } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import type { ChangeProps } from './change-contents.tsx'
import { showFailure } from './change-conversation.ts'
import { NewCannedReply } from './new-canned-reply.tsx'

/** The canned replies of the team and one's own for the inbox; the chosen one is put into the message at the cursor, with its values. */
export function CannedReplyContent({ store, conversation, onClose }: ChangeProps): JSX.Element {
  const [replies, setReplies] = useState<readonly CannedReply[]>()
  const [problem, setProblem] = useState<Problem>()
  const [isNew, setNew] = useState(false)
  useEffect(() => {
    readCannedReplies(store.crm, conversation.inboxId).then(setReplies, (error) =>
      setProblem(problemOf(error)),
    )
  }, [])
  if (problem) return <ProblemBox title={more.cannedReplies.failed} reason={problem} />
  if (replies === undefined) return <p role="status">{more.cannedReplies.loading}</p>
  if (isNew || replies.length === 0)
    return (
      <>
        {replies.length === 0 && <p>{more.cannedReplies.none}</p>}
        <NewCannedReply
          store={store}
          content={store.drafts.state(conversation._id).peek().draft.content}
          onClose={onClose}
        />
      </>
    )
  return (
    <>
      <Chooser
        label={t.dialogs.filter}
        choices={replies.map(({ _id, shortcut, title }) => ({ id: _id, text: `/${shortcut} ${title}` }))}
        onChoose={(id) => {
          onClose()
          void insert(store, conversation._id, id)
        }}
      />
      <Button isSmall onClick={() => setNew(true)}>
        {more.cannedReplies.new}
      </Button>
    </>
  )
}

async function insert(store: Store, conversationId: string, id: string): Promise<void> {
  try {
    const { content, contentType, missing } = await renderCannedReply(store.crm, id, conversationId)
    const field = document.querySelector<HTMLTextAreaElement>('#composer')
    store.drafts.change(conversationId, (draft) => {
      const before = draft.content.slice(0, field?.selectionStart)
      const after = field === null ? '' : draft.content.slice(field.selectionEnd)
      return {
        ...draft,
        content: before + content + after,
        contentType: draft.content === '' && contentType === 'markdown' ? 'markdown' : draft.contentType,
      }
    })
    field?.focus()
    if (missing.length > 0) showToast(more.cannedReplies.missing(missing.join(', ')))
  } catch (error) {
    showFailure(error)
  }
}
