import type { TenantExport } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { createExport, readExports } from '../../api/team-export.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { locale } from '../../strings/strings.ts'
import { momentTime } from '../../strings/times.ts'
import { wordOf } from '../../strings/word-of.ts'
import { Button } from '../../ui/button.tsx'
import { download } from '../../ui/download.ts'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { packExport } from './pack-export.ts'
import { styles } from './settings-styles.ts'
import { Cell, SettingsTable } from './settings-table.tsx'
import { useFresh } from './use-fresh.ts'

const pollMs = 2_000
/** The end of the name by which an import knows the archive of a package. */
const archiveSuffix = '.crmkit.zip'

/** Exports of the whole team, for an owner: a package in one file, which another server imports. */
export function TeamExport({ store }: { readonly store: Store }): JSX.Element {
  const { value: exports, problem, read } = useFresh(() => readExports(store.crm))
  const texts = more.team.export
  const isBeingMade = exports?.some(({ status }) => status === 'queued' || status === 'running') ?? false
  useEffect(() => {
    if (!isBeingMade) return
    const timer = setInterval(read, pollMs)
    return () => clearInterval(timer)
  }, [isBeingMade])
  return (
    <>
      <h3>{texts.title}</h3>
      <p class="hint">{texts.hint}</p>
      <AskExport store={store} isDisabled={isBeingMade} onBegun={read} />
      {problem && <ProblemBox title={more.settings.failed} reason={problem} onRetry={read} />}
      {exports === undefined && !problem && <SkeletonRows count={1} rowHeight={40} />}
      {exports !== undefined && exports.length > 0 && (
        <SettingsTable label={texts.list} columns={texts.columns}>
          {exports.map((made) => (
            <ExportRow key={made._id} store={store} made={made} />
          ))}
        </SettingsTable>
      )}
    </>
  )
}

interface AskExportProps {
  readonly store: Store
  readonly isDisabled: boolean
  readonly onBegun: () => void
}

function AskExport({ store, isDisabled, onBegun }: AskExportProps): JSX.Element {
  const id = useId()
  const [currentPassword, setPassword] = useState('')
  const [attachments, setAttachments] = useState(true)
  const { isSending, problem, send } = useSending()
  const texts = more.team.export
  const begin = async () => {
    await createExport(store.crm, { currentPassword, attachments })
    setPassword('')
    onBegun()
  }
  return (
    <form
      style={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        send(begin, texts.begun)
      }}
    >
      <div class="field">
        <label for={id}>{more.settings.profile.currentPassword}</label>
        <input
          id={id}
          class="input"
          type="password"
          autocomplete="current-password"
          maxLength={128}
          required
          value={currentPassword}
          onInput={({ currentTarget }) => setPassword(currentTarget.value)}
        />
      </div>
      <label>
        <input
          type="checkbox"
          checked={attachments}
          onChange={({ currentTarget }) => setAttachments(currentTarget.checked)}
        />{' '}
        {texts.withFiles}
      </label>
      <ProblemText problem={problem} />
      <p>
        <Button type="submit" isDisabled={isSending || isDisabled}>
          {texts.begin}
        </Button>
      </p>
    </form>
  )
}

function ExportRow({ store, made }: { readonly store: Store; readonly made: TenantExport }): JSX.Element {
  const [said, setSaid] = useState('')
  const { isSending, problem, send } = useSending()
  const texts = more.team.export
  const { _id: id, status, createdAt, counts, attachments, error } = made
  const count = Object.values(counts)
    .reduce((sum, one) => sum + one, 0)
    .toLocaleString(locale)
  const give = async () => {
    const packed = await packExport(store.crm, id, (done, all) => setSaid(texts.progress(done, all)))
    if (packed === undefined) return setSaid(texts.tooLarge)
    download(packed.archive, `${id}${archiveSuffix}`)
    setSaid(packed.missing === 0 ? texts.done : texts.missing(packed.missing))
  }
  return (
    <tr>
      <Cell>{momentTime(createdAt)}</Cell>
      <Cell>{attachments ? texts.records(count) : count}</Cell>
      <Cell>
        {wordOf(texts.states, status)} {error?.message}{' '}
        {status === 'ready' && (
          <Button isDisabled={isSending} onClick={() => send(give)}>
            {texts.download}
          </Button>
        )}
        <span role="status"> {said}</span>
        <ProblemText problem={problem} />
      </Cell>
    </tr>
  )
}
