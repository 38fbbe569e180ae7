import type { Draft } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { problemOf } from '../../api/problem.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { exactTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.tsx'

interface DraftsProps {
  readonly store: Store
  readonly conversationId: string
}

/** Drafts of colleagues and programs, which any person may send; and one's own of another window. */
export function OtherDrafts({ store, conversationId }: DraftsProps): JSX.Element {
  const { newer, held, others } = store.drafts.state(conversationId).value
  const send = async ({ _id, type, version }: Draft) => {
    const ifSeq = store.conversations.rows.peek(conversationId)?.seq ?? 0
    // The person sends what they have read: with another version it is refused.
    const body = { expectedVersion: version }
    try {
      const guard = type === 'note' ? {} : { ifSeq }
      store.threads.take(await store.crm.drafts.send(conversationId, _id, body, guard))
    } catch (error) {
      showToast(t.thread.notSent, { isDanger: true, detail: problemOf(error).sentence })
    }
    store.drafts.refresh()
  }
  const takeBack = async (draft: Draft) => {
    if (!(await store.outgoing.takeBack(draft))) showToast(t.drafts.tooLate)
  }
  return (
    <>
      {held && (
        <section class="draft-card" aria-label={t.drafts.held}>
          <strong>{t.drafts.heldUntil(exactTime(held.sendAt ?? held.updatedAt))}</strong>
          <div class="draft-text" dir="auto">
            {held.content}
          </div>
          <Button isSmall onClick={() => void takeBack(held)}>
            {t.actions.undo}
          </Button>
          <Button
            isSmall
            onClick={() => {
              const { seq = 0 } = store.conversations.rows.peek(conversationId) ?? {}
              void store.outgoing.sendNow(held, seq)
            }}
          >
            {t.drafts.sendNow}
          </Button>
        </section>
      )}
      {newer && (
        <div class="draft-card" role="alert">
          <strong>{t.drafts.newer}</strong>
          <div class="draft-text" dir="auto">
            {newer.content}
          </div>
          <Button isSmall onClick={() => store.drafts.choose(conversationId, 'newer')}>
            {t.drafts.takeNewer}
          </Button>
          <Button isSmall onClick={() => store.drafts.choose(conversationId, 'mine')}>
            {t.drafts.keepMine}
          </Button>
        </div>
      )}
      {others.map((draft) => (
        <section key={draft._id} class="draft-card" aria-label={nameOf(draft)}>
          <strong dir="auto">{nameOf(draft)}</strong>
          <div class="draft-text" dir="auto">
            {draft.content}
          </div>
          <Button isSmall onClick={() => void send(draft)}>
            {t.drafts.send}
          </Button>
        </section>
      ))}
    </>
  )
}

function nameOf({ author }: Draft): string {
  const name = author.name ?? t.thread.somebody
  return t.drafts.by(author.type === 'api' ? t.thread.byKey(name) : name)
}
