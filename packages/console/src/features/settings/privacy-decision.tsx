import type { PrivacyRequest } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { decidePrivacyRequest } from '../../api/privacy.ts'
import type { Problem } from '../../api/problem.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { wordOf } from '../../strings/word-of.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { TextField } from './text-field.tsx'

const textMax = 10_000

interface PrivacyDecisionProps {
  readonly store: Store
  readonly request: PrivacyRequest
  /** Of the person. */
  readonly name: string
  /** The request may have changed. */
  readonly onChanged: () => void
  readonly onDecided: () => void
}

/** A request with the words of the person, and the decisions that its state allows: the inside of a dialog. */
export function PrivacyDecision(props: PrivacyDecisionProps): JSX.Element {
  const { request } = props
  const { status, type } = request
  const texts = more.privacy
  const isOpen = status === 'pending' || status === 'processing'
  const isErasing = type === 'deletion' && status === 'processing'
  const deciding = useDecision(props)
  return (
    <>
      <p>
        <span class="chip">{wordOf(texts.states, status)}</span>
      </p>
      <dl class="facts">
        {(Object.keys(texts.facts) as (keyof typeof texts.facts)[]).map((fact) =>
          request[fact] ? (
            <div key={fact}>
              <dt>{texts.facts[fact]}</dt>
              <dd dir="auto">{request[fact]}</dd>
            </div>
          ) : null,
        )}
      </dl>
      {isErasing && <p>{texts.erasing}</p>}
      {/* Above both forms: they go when another admin was faster. */}
      <ProblemText problem={deciding.problem} />
      {isOpen && !isErasing && (
        <>
          <GoOn {...props} {...deciding} />
          <Reject {...deciding} />
        </>
      )}
    </>
  )
}

type Decide = (
  decision: Parameters<typeof decidePrivacyRequest>[2],
  state: keyof typeof more.privacy.states,
) => void

interface Deciding {
  readonly isSending: boolean
  readonly problem: Problem | undefined
  readonly decide: Decide
}

function useDecision({ store, request, onChanged, onDecided }: PrivacyDecisionProps): Deciding {
  const { isSending, problem, send } = useSending()
  const texts = more.privacy
  const decide: Decide = (decision, state) =>
    send(
      async () => {
        try {
          await decidePrivacyRequest(store.crm, request._id, decision)
          onDecided()
        } finally {
          // Also after a refusal: another admin may have been faster.
          onChanged()
        }
      },
      texts.decided(wordOf(texts.types, request.type), texts.states[state]),
    )
  return { isSending, problem, decide }
}

/** Approves a new request, and completes one that was approved. */
function GoOn(props: PrivacyDecisionProps & Deciding): JSX.Element {
  const { store, request, name, isSending, decide } = props
  const [notes, setNotes] = useState(request.notes ?? '')
  const [typed, setTyped] = useState('')
  const texts = more.privacy
  const isNew = request.status === 'pending'
  const isErasure = isNew && request.type === 'deletion'
  const isForOwners =
    isErasure &&
    store.me.role !== 'owner' &&
    store.users.value.some(({ _id, role }) => _id === request.userId && role === 'owner')
  const isAllowed = !isForOwners && (!isErasure || typed.trim() === name)
  const label = isErasure ? texts.approveErasure : isNew ? texts.approve : completion(request)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isAllowed) return
        const body = { notes: notes.trim() || null }
        decide({ to: isNew ? 'approve' : 'complete', body }, isNew ? 'processing' : 'completed')
      }}
    >
      {isNew && <p dir="auto">{effectOf(request.type, name)}</p>}
      {isErasure && request.userId === store.me._id && <p>{texts.self}</p>}
      {isForOwners && <p>{texts.onlyOwners}</p>}
      <TextField label={texts.facts.notes} value={notes} rows={2} maxLength={textMax} onInput={setNotes} />
      <p class="hint">{texts.notesHint}</p>
      {isErasure && !isForOwners && (
        <TextField label={texts.confirm(name)} value={typed} maxLength={textMax} onInput={setTyped} />
      )}
      <Button type="submit" kind="primary" isDisabled={isSending || !isAllowed}>
        {label}
      </Button>
    </form>
  )
}

function effectOf(type: string, name: string): string {
  const hints: Readonly<Record<string, ((name: string) => string) | undefined>> = more.privacy.approveHints
  return hints[type]?.(name) ?? ''
}

function completion({ type }: PrivacyRequest): string {
  return type === 'restriction' ? more.privacy.lift : more.privacy.complete
}

function Reject({ isSending, decide }: Deciding): JSX.Element {
  const [rejectionReason, setReason] = useState('')
  const texts = more.privacy
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        decide({ to: 'reject', body: { rejectionReason } }, 'rejected')
      }}
    >
      <h3>{texts.reject}</h3>
      <p class="hint">{texts.rejectHint}</p>
      <TextField
        label={texts.facts.rejectionReason}
        value={rejectionReason}
        rows={2}
        isRequired
        maxLength={textMax}
        onInput={setReason}
      />
      <Button type="submit" isDisabled={isSending}>
        {texts.rejectNow}
      </Button>
    </form>
  )
}
