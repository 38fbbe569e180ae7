import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Problem, problemOf } from '../api/problem.ts'
import { t } from '../strings/strings.ts'
import { Button } from './button.tsx'
import { ReasonText } from './states.tsx'
import { showToast } from './toasts.tsx'

interface Sending {
  readonly isSending: boolean
  readonly problem: Problem | undefined
  /** Runs once at a time. Says `done` when it succeeds, and keeps the problem when it does not. */
  send(work: () => Promise<void>, done?: string): void
}

/** The sending of a form, with its refusal. */
export function useSending(): Sending {
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const run = async (work: () => Promise<void>, done?: string) => {
    setSending(true)
    setProblem(undefined)
    try {
      await work()
      if (done !== undefined) showToast(done)
    } catch (error) {
      setProblem(problemOf(error))
    }
    setSending(false)
  }
  return {
    isSending,
    problem,
    send(work, done) {
      if (!isSending) void run(work, done)
    },
  }
}

/** The faults of single fields and the reason of a refusal. */
export function ProblemText({ problem }: { readonly problem: Problem | undefined }): JSX.Element | null {
  if (problem === undefined) return null
  const faults = Array.isArray(problem.details) ? problem.details : []
  const texts = faults.map(({ field, message }: { field?: unknown; message?: unknown }) =>
    t.recipients.fault(String(field), String(message)),
  )
  return (
    <div class="field-error" role="alert">
      {texts.join(' ')} <ReasonText reason={problem} />
    </div>
  )
}

interface DeleteButtonProps {
  readonly label: string
  /** The label of the second press, which deletes. */
  readonly sure: string
  readonly isDisabled: boolean
  readonly onDelete: () => void
}

/** Asks by its second press. */
export function DeleteButton({ label, sure, isDisabled, onDelete }: DeleteButtonProps): JSX.Element {
  const [isAsked, setAsked] = useState(false)
  const press = () => {
    setAsked(!isAsked)
    if (isAsked) onDelete()
  }
  return (
    <Button isDisabled={isDisabled} onClick={press}>
      {isAsked ? sure : label}
    </Button>
  )
}
