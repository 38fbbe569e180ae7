import type { DeletionRequest } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { cancelDeletion, downloadOwnData, readOwnDeletion, requestDeletion } from '../../api/privacy.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { momentTime, shortTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ExportButtons } from '../../ui/export-buttons.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { OwnRequest } from './own-request.tsx'
import { TextField } from './text-field.tsx'
import { useFresh } from './use-fresh.ts'

/** The rights of each person about their own data: a copy, the erasure, and other requests. */
export function OwnDataSection({ store }: { readonly store: Store }): JSX.Element {
  const texts = more.privacy.own
  return (
    <>
      <h3>{texts.copy}</h3>
      <p>{texts.copyHint}</p>
      <ExportButtons name={store.me._id} read={(format) => downloadOwnData(store.crm, format)} />
      <h3>{texts.erasure}</h3>
      <p>{texts.erasureHint}</p>
      <OwnErasure store={store} />
      <h3>{texts.other}</h3>
      <OwnRequest store={store} />
    </>
  )
}

function OwnErasure({ store }: { readonly store: Store }): JSX.Element {
  const { value, problem, read } = useFresh(() => readOwnDeletion(store.crm))
  const [isAsking, setAsking] = useState(false)
  const cancelling = useSending()
  const texts = more.privacy.own
  if (problem) return <ProblemBox title={more.settings.failed} reason={problem} onRetry={read} />
  if (value === undefined) return <SkeletonRows count={1} rowHeight={40} />
  const cancel = () => cancelDeletion(store.crm).finally(read)
  const isOpen = value?.status === 'pending' || value?.status === 'processing'
  return (
    <>
      <p role="status" dir="auto">
        {value && stateOf(value)}
      </p>
      <ProblemText problem={cancelling.problem} />
      {value?.status === 'pending' && (
        <p>
          <Button isDisabled={cancelling.isSending} onClick={() => cancelling.send(cancel, texts.withdrawn)}>
            {texts.withdraw}
          </Button>
        </p>
      )}
      {!isOpen && (
        <p>
          <Button onClick={() => setAsking(true)}>{texts.ask}</Button>
        </p>
      )}
      {isAsking && (
        <Dialog title={texts.ask} onClose={() => setAsking(false)}>
          <AskErasure
            store={store}
            onSent={() => {
              setAsking(false)
              read()
            }}
          />
        </Dialog>
      )}
    </>
  )
}

function stateOf({ status, requestedAt, dueAt, rejectionReason }: DeletionRequest): string {
  const texts = more.privacy.own
  if (status === 'pending') return texts.waits(momentTime(requestedAt), shortTime(dueAt))
  if (status === 'processing') return texts.approved
  return status === 'rejected' ? texts.rejected(shortTime(requestedAt), rejectionReason ?? '') : ''
}

interface AskErasureProps {
  readonly store: Store
  readonly onSent: () => void
}

function AskErasure({ store, onSent }: AskErasureProps): JSX.Element {
  const [reason, setReason] = useState('')
  const { isSending, problem, send } = useSending()
  const texts = more.privacy.own
  const ask = async () => {
    await requestDeletion(store.crm, reason.trim() || null)
    onSent()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send(ask, texts.sent)
      }}
    >
      <p>{texts.erasureHint}</p>
      <TextField label={texts.reason} value={reason} rows={3} maxLength={10_000} onInput={setReason} />
      <ProblemText problem={problem} />
      <Button type="submit" kind="primary" isDisabled={isSending}>
        {texts.send}
      </Button>
    </form>
  )
}
