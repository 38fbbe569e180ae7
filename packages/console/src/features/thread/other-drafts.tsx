import type { Draft } from '@crmkit/sdk'
import type { ComponentChildren, JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { problemOf } from '../../api/problem.ts'
import { draftOf, withBehind } from '../../store/draft.ts'
import { type AgreedBasis, changedBasisOf } from '../../store/draft-refusals.ts'
import { readable } from '../../store/mentions.ts'
import { isPlanned } from '../../store/outgoing.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { momentTime } from '../../strings/times.ts'
import { wordsOf } from '../../strings/words-of.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.tsx'

interface DraftsProps {
  readonly store: Store
  readonly conversationId: string
  /** Opens the choice of another time. */
  readonly onPlan: () => void
}

/** The own reply that waits or was stopped, one's own draft of another window, and drafts of colleagues and programs. */
export function OtherDrafts({ store, conversationId, onPlan }: DraftsProps): JSX.Element {
  const { newer, held, stopped, others } = store.drafts.state(conversationId).value
  return (
    <>
      {held && <Held store={store} held={held} />}
      {stopped !== null && (
        <div class="draft-card" role="alert">
          <strong>{stoppedText(stopped)}</strong>
          <Button isSmall onClick={onPlan}>
            {more.plan.again}
          </Button>
        </div>
      )}
      {newer && (
        <div class="draft-card" role="alert">
          <strong>{more.drafts.newer}</strong>
          <div class="draft-text" dir="auto">
            {readable(newer, store.users.value)}
          </div>
          <Button isSmall onClick={() => store.drafts.choose(conversationId, 'newer')}>
            {more.drafts.takeNewer}
          </Button>
          <Button isSmall onClick={() => store.drafts.choose(conversationId, 'mine')}>
            {more.drafts.keepMine}
          </Button>
        </div>
      )}
      {others.map((draft) => (
        <OfOther key={draft._id} store={store} draft={draft} />
      ))}
    </>
  )
}

interface HeldProps {
  readonly store: Store
  readonly held: Draft
}

/** The own reply that the service sends at its time: in some seconds, or as planned. */
function Held({ store, held }: HeldProps): JSX.Element {
  const isLater = isPlanned(held)
  const time = momentTime(held.sendAt ?? held.updatedAt)
  const takeBack = async () => {
    if (!(await store.outgoing.takeBack(held))) showToast(more.drafts.tooLate)
  }
  const sendNow = () => {
    const { seq = 0 } = store.conversations.rows.peek(held.conversationId) ?? {}
    void store.outgoing.sendNow(held, seq)
  }
  return (
    <Card
      label={isLater ? t.plan.title : more.drafts.held}
      title={isLater ? more.plan.planned(time) : more.drafts.heldUntil(time)}
      content={wordsOf(held.content, held.attachments.length)}
      to={held.to}
    >
      <Button
        isSmall
        name={isLater ? undefined : 'take-back'}
        hint={isLater ? undefined : 'z'}
        onClick={() => void takeBack()}
      >
        {isLater ? more.plan.cancel : t.actions.undo}
      </Button>
      <Button isSmall onClick={sendNow}>
        {more.drafts.sendNow}
      </Button>
    </Card>
  )
}

function OfOther({ store, draft }: OfOtherProps): JSX.Element {
  const name = nameOf(draft)
  const { _id, conversationId, type, version, sendAt, sendError } = draft
  const [changed, setChanged] = useState<AgreedBasis | null>(null)
  // A colleague may still be writing theirs.
  const isProposal = draft.author.type === 'api' && sendAt === null && mayDelete(store, draft)
  const send = async () => {
    const ifSeq = store.conversations.rows.peek(conversationId)?.seq ?? 0
    // The person sends what they have read: with another version it is refused.
    const body = { expectedVersion: version, ...(changed && { basis: changed }) }
    try {
      const guard = type === 'note' ? {} : { ifSeq }
      store.threads.take(await store.crm.drafts.send(conversationId, _id, body, guard))
    } catch (error) {
      const problem = problemOf(error)
      setChanged(changedBasisOf(problem))
      showToast(t.thread.notSent, { reason: problem })
    }
    store.drafts.refresh()
  }
  return (
    <Card
      label={more.drafts.by(name)}
      title={sendAt === null ? more.drafts.by(name) : more.plan.plannedBy(name, momentTime(sendAt))}
      content={wordsOf(readable(draft, store.users.value), draft.attachments.length)}
      to={draft.to}
    >
      {changed && (
        <p class="draft-stopped">{t.recipients.changed(changed.customerEmail ?? t.actions.nobody)}</p>
      )}
      {sendError !== null && <p class="draft-stopped">{stoppedOfText(name, sendError)}</p>}
      <Button isSmall onClick={() => void send()}>
        {changed ? t.thread.sendAnyway : more.drafts.send}
      </Button>
      {isProposal && (
        <Button isSmall onClick={() => void takeOver(store, draft)}>
          {more.drafts.takeOver}
        </Button>
      )}
      {(isProposal || (sendAt !== null && mayDelete(store, draft))) && (
        <Discard store={store} draft={draft} />
      )}
    </Card>
  )
}

/** A press that comes sooner after another one belongs to a double click or a key that is held. */
const separateMs = 500

interface OfOtherProps {
  readonly store: Store
  readonly draft: Draft
}

/** Returns false, with the reason on the screen, when the draft is still there. */
async function remove({ store, draft }: OfOtherProps): Promise<boolean> {
  let isGone = true
  try {
    await store.crm.drafts.delete(draft.conversationId, draft._id)
  } catch (error) {
    isGone = false
    showToast(more.drafts.notDeleted, { reason: problemOf(error) })
  }
  store.drafts.refresh()
  return isGone
}

/**
 * Puts the draft into the own field, behind what stands there, and deletes it: one text is sent by one person. Where the own draft
 * cannot name it, it is deleted first, because a file belongs to one draft.
 */
async function takeOver(store: Store, draft: Draft): Promise<void> {
  const isTaken = await store.drafts.takeOver(draft)
  if (!(await remove({ store, draft })) || isTaken) return
  store.drafts.change(draft.conversationId, (now) => withBehind(now, draftOf(draft)))
}

/** Deletes what somebody else has written or planned, at the second press, because its text is deleted with it. */
function Discard({ store, draft }: OfOtherProps): JSX.Element {
  const [isAsked, setAsked] = useState(false)
  const pressedAt = useRef(Number.NEGATIVE_INFINITY)
  const press = () => {
    const now = performance.now()
    const isSeparate = now - pressedAt.current >= separateMs
    pressedAt.current = now
    setAsked(true)
    if (isAsked && isSeparate) void remove({ store, draft })
  }
  return (
    <Button isSmall onClick={press}>
      {isAsked ? more.drafts.deleteForGood : draft.sendAt === null ? more.drafts.discard : more.plan.cancel}
    </Button>
  )
}

/** As the service allows it: the draft of a key to everybody who writes, that of a person to admins. */
function mayDelete({ me: { role } }: Store, { author }: Draft): boolean {
  return role === 'admin' || role === 'owner' || (author.type === 'api' && role !== 'viewer')
}

interface CardProps {
  readonly label: string
  readonly title: string
  readonly content: string
  readonly to: readonly string[]
  readonly children: ComponentChildren
}

function Card({ label, title, content, to, children }: CardProps): JSX.Element {
  return (
    <section class="draft-card" aria-label={label}>
      <strong dir="auto">{title}</strong>
      {to.length > 0 && <small dir="auto">{t.recipients.to(to.join(', '))}</small>}
      <div class="draft-text" dir="auto">
        {content}
      </div>
      {children}
    </section>
  )
}

type Reason = Exclude<keyof typeof more.plan.stopped, 'other'>

function isReason(code: string): code is Reason {
  return code !== 'other' && Object.hasOwn(more.plan.stopped, code)
}

function stoppedText(code: string): string {
  return isReason(code) ? more.plan.stopped[code] : more.plan.stopped.other(code)
}

function stoppedOfText(name: string, code: string): string {
  return isReason(code) ? more.plan.stoppedOf[code](name) : more.plan.stoppedOf.other(name, code)
}

function nameOf({ author }: Draft): string {
  const name = author.name ?? t.thread.somebody
  return author.type === 'api' ? t.thread.byKey(name) : name
}
