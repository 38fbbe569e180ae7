import type { TagCount } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { locale, t } from '../../strings/strings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DeleteButton, ProblemText } from '../../ui/sending.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { changeLabel, type LabelChange, undoLabel } from './change-label.ts'
import { TextField } from './text-field.tsx'

interface LabelDialogProps {
  readonly store: Store
  readonly label: TagCount
  readonly others: readonly TagCount[]
  /** The counts are other ones now. */
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** Renames a label in all conversations, or removes it from them. */
export function LabelDialog(props: LabelDialogProps): JSX.Element {
  const { label, others, onClose } = props
  const { progress, problem, run, stop } = useLabelChange(props)
  const [name, setName] = useState(label.tag)
  const texts = more.labels
  const to = name.trim()
  const other = others.find(({ tag }) => tag.toLowerCase() === to.toLowerCase())
  return (
    <Dialog title={texts.title(label.tag)} onClose={progress ? undefined : onClose}>
      {progress ? (
        <>
          <p role="status">{more.bulk.progress(progress.done, progress.total)}</p>
          <progress aria-label={texts.title(label.tag)} value={progress.done} max={progress.total} />
          <p>{texts.keepOpen}</p>
          <Button onClick={stop}>{texts.stop}</Button>
        </>
      ) : (
        <>
          <ProblemText problem={problem} />
          <form
            onSubmit={(event) => {
              event.preventDefault()
              if (to !== '' && to !== label.tag) run({ from: label.tag, to })
            }}
          >
            <TextField label={texts.name} value={name} maxLength={64} hasFocus onInput={setName} />
            <p class="hint">{texts.renameHint}</p>
            {other && <p dir="auto">{texts.joins(other.tag, other.count.toLocaleString(locale))}</p>}
            <Button type="submit" kind="primary" isDisabled={to === '' || to === label.tag}>
              {texts.rename}
            </Button>
          </form>
          <p>{texts.removeHint(label.count.toLocaleString(locale))}</p>
          <DeleteButton
            label={texts.remove}
            sure={texts.removeNow}
            isDisabled={false}
            onDelete={() => run({ from: label.tag, to: null })}
          />
        </>
      )}
    </Dialog>
  )
}

function useLabelChange({ store, label, onChanged, onClose }: LabelDialogProps) {
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const [problem, setProblem] = useState<Problem>()
  const isStopped = useRef(false)
  const undo = async (change: LabelChange, changed: Parameters<typeof undoLabel>[2]) => {
    try {
      const failed = await undoLabel(store.crm, change, changed)
      showToast(failed > 0 ? more.bulk.partlyUndone(failed) : t.actions.undone)
    } catch (error) {
      showToast(t.actions.notUndone, { reason: problemOf(error) })
    }
    onChanged()
  }
  const change = async (wanted: LabelChange) => {
    setProgress({ done: 0, total: label.count })
    setProblem(undefined)
    isStopped.current = false
    const outcome = await changeLabel(store.crm, wanted, (done, total) => {
      setProgress({ done, total })
      return !isStopped.current
    })
    const { changed, failed } = outcome
    setProgress(undefined)
    setProblem(outcome.problem)
    onChanged()
    if (outcome.problem === undefined) onClose()
    if (changed.length > 0 || outcome.problem === undefined)
      showToast(more.bulk.done(changed.length, failed), {
        ...(changed.length > 0 && {
          action: { text: t.actions.undo, run: () => void undo(wanted, changed) },
        }),
      })
  }
  return {
    progress,
    problem,
    run: (wanted: LabelChange) => void change(wanted),
    stop: () => {
      isStopped.current = true
    },
  }
}
