import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import { ReasonText } from '../../ui/states.tsx'

/**
 * Runs one thing at a time, and keeps its problem. The button that began it is not disabled meanwhile, because a disabled one
 * loses the focus of the keyboard.
 */
export function useWork() {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const run = (work: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setProblem(undefined)
    work()
      .catch((error: unknown) => setProblem(problemOf(error)))
      .finally(() => setBusy(false))
  }
  return { isBusy, problem, run }
}

export function ProblemText({ problem }: { readonly problem: Problem | undefined }): JSX.Element | null {
  if (problem === undefined) return null
  return (
    <div class="field-error" role="alert">
      <ReasonText reason={problem} />
    </div>
  )
}
