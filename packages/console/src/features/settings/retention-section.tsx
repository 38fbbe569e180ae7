import type { Retention, RetentionPreview } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import { previewRetention, readTenant, updateTenant } from '../../api/tenant.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { styles } from './settings-styles.ts'

/** How long the team keeps closed conversations and files. Owners change it, and see first what would go. */
export function RetentionSection({ store }: { readonly store: Store }): JSX.Element {
  const [found, setFound] = useState<Retention | undefined>(undefined)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const read = () => {
    setProblem(undefined)
    readTenant(store.crm).then(
      ({ retention }) => setFound(retention),
      (error) => setProblem(problemOf(error)),
    )
  }
  useEffect(read, [])
  if (problem) return <ProblemBox title={more.settings.failed} reason={problem} onRetry={read} />
  if (found === undefined) return <SkeletonRows count={2} rowHeight={60} />
  return <RetentionForm store={store} found={found} />
}

const monthsOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))
const textOf = (months: number | null): string => (months === null ? '' : String(months))

function RetentionForm({ store, found }: { readonly store: Store; readonly found: Retention }): JSX.Element {
  const texts = more.settings.retention
  const isOwner = store.me.role === 'owner'
  const [conversations, setConversations] = useState(textOf(found.closedConversationMonths))
  const [files, setFiles] = useState(textOf(found.attachmentMonths))
  const [preview, setPreview] = useState<RetentionPreview | undefined>(undefined)
  const { isSending, problem, send } = useSending()
  const given = { closedConversationMonths: monthsOf(conversations), attachmentMonths: monthsOf(files) }
  const change = (set: (text: string) => void) => (text: string) => {
    setPreview(undefined)
    set(text)
  }
  const count = async () => setPreview(await previewRetention(store.crm, given))
  const save = async () => {
    await updateTenant(store.crm, { retention: given })
    setPreview(undefined)
  }
  return (
    <form
      style={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        // An erased conversation does not come back: the count is shown before anything is saved.
        if (preview === undefined) send(count)
        else send(save, texts.saved)
      }}
    >
      <p class="hint">{texts.hint}</p>
      <Months
        label={texts.conversations}
        value={conversations}
        isDisabled={!isOwner}
        onInput={change(setConversations)}
      />
      <Months label={texts.files} value={files} isDisabled={!isOwner} onInput={change(setFiles)} />
      {preview && (
        <p role="status">
          {texts.preview(
            countText(preview.conversations),
            countText(preview.attachments),
            (preview.attachments.bytes / 1_000_000).toFixed(1),
          )}
        </p>
      )}
      <ProblemText problem={problem} />
      {isOwner ? (
        <p>
          <Button type="submit" kind={preview ? 'primary' : 'normal'} isDisabled={isSending}>
            {preview ? more.settings.save : texts.count}
          </Button>
        </p>
      ) : (
        <p class="hint">{texts.onlyOwners}</p>
      )}
    </form>
  )
}

function countText({ count, isMore }: { readonly count: number; readonly isMore: boolean }): string {
  return isMore ? `${count}+` : String(count)
}

interface MonthsProps {
  readonly label: string
  readonly value: string
  readonly isDisabled: boolean
  readonly onInput: (text: string) => void
}

function Months({ label, value, isDisabled, onInput }: MonthsProps): JSX.Element {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        type="number"
        min={1}
        max={120}
        placeholder={more.settings.retention.never}
        value={value}
        disabled={isDisabled}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </div>
  )
}
