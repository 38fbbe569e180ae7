import type { ImportIssue, ImportRun } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { cancelImport, readIssues, readRejected, readRun, undoImport } from '../../api/imports.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { locale } from '../../strings/strings.ts'
import { wordOf } from '../../strings/word-of.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { download } from '../../ui/download.ts'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { styles } from './settings-styles.ts'
import { Cell, SettingsTable } from './settings-table.tsx'

interface ImportResultProps {
  readonly store: Store
  readonly integrationId: string
  readonly runId: string
  readonly onEnded: () => void
}

const pollMs = 1_000
const activeStates = ['queued', 'running', 'paused']
type Figure = keyof typeof more.imports.figures

function isActive({ status, undo }: ImportRun): boolean {
  return activeStates.includes(status) || undo.status === 'running'
}

function countText(count: number): string {
  return count.toLocaleString(locale)
}

/** One run: its progress, then its balance in sentences, its issues by row, and its undo. */
export function ImportResult(props: ImportResultProps): JSX.Element {
  const { run, issues, problem, read } = useRun(props)
  const texts = more.imports
  if (problem) return <ProblemBox title={more.settings.failed} reason={problem} onRetry={read} />
  if (run === undefined) return <SkeletonRows count={2} rowHeight={40} />
  return (
    <section aria-label={texts.result}>
      <h4>{run.dryRun ? texts.trialResult : texts.result}</h4>
      <div role="status">
        <RunText run={run} />
      </div>
      <RunActions store={props.store} run={run} onChanged={read} />
      {!isActive(run) && issues && <Issues issues={issues} />}
    </section>
  )
}

function useRun({ store: { crm }, integrationId, runId, onEnded }: ImportResultProps) {
  const [run, setRun] = useState<ImportRun>()
  const [issues, setIssues] = useState<readonly ImportIssue[]>()
  const [problem, setProblem] = useState<Problem>()
  const readAll = async () => {
    const now = await readRun(crm, integrationId, runId)
    if (!isActive(now)) setIssues(await readIssues(crm, now))
    setRun(now)
    // The list of the source still shows it as active.
    if (run && isActive(run) && !isActive(now)) onEnded()
  }
  const read = () => {
    setProblem(undefined)
    readAll().catch((error) => setProblem(problemOf(error)))
  }
  useEffect(read, [])
  useEffect(() => {
    if (!run || !isActive(run)) return
    const timer = setTimeout(read, pollMs)
    return () => clearTimeout(timer)
  }, [run])
  return { run, issues, problem, read }
}

function RunText({ run }: { readonly run: ImportRun }): JSX.Element {
  const texts = more.imports
  const { undo, status, error, balance } = run
  const modules = Object.entries(run.modules).filter(([, { read }]) => read > 0)
  if (undo.status === 'done') {
    const { removed, restored, kept } = undo
    return <p>{texts.undone(countText(removed), countText(restored), countText(kept))}</p>
  }
  if (undo.status !== 'none') return <p>{wordOf(texts.undoStates, undo.status)}</p>
  const read = modules.reduce((sum, [, counts]) => sum + counts.read, 0)
  if (isActive(run))
    return (
      <p>
        {wordOf(texts.runStates, status)}. {texts.progress(countText(read))}
      </p>
    )
  return (
    <>
      <p>
        {wordOf(texts.runStates, status)}. {error?.message}
      </p>
      {modules.map(([module, counts]) => (
        <p key={module}>
          {wordOf(texts.modules, module)}:{' '}
          {(Object.keys(texts.figures) as Figure[])
            .filter((figure) => counts[figure] > 0)
            .map((figure) => texts.figures[figure](countText(counts[figure])))
            .join(' ')}
        </p>
      ))}
      {balance?.closes === false && status.startsWith('completed') && <p>{texts.open}</p>}
    </>
  )
}

interface RunActionsProps {
  readonly store: Store
  readonly run: ImportRun
  readonly onChanged: () => void
}

function RunActions({ store, run, onChanged }: RunActionsProps): JSX.Element {
  const [isAsked, setAsked] = useState(false)
  const { isSending, problem, send } = useSending()
  const texts = more.imports
  const { dryRun, undo, status, balance, integrationId } = run
  const cancel = async () => {
    await cancelImport(store.crm, integrationId)
    onChanged()
  }
  const takeBack = async () => {
    await undoImport(store.crm, run)
    setAsked(false)
    onChanged()
  }
  const refused = (balance?.files ?? []).filter(({ rows }) => rows.failed > 0)
  const mayUndo = !dryRun && !isActive(run) && undo.status !== 'done'
  return (
    <>
      <p style={styles.actions}>
        {activeStates.includes(status) && (
          <Button isDisabled={isSending} onClick={() => send(cancel, texts.cancelled)}>
            {texts.cancel}
          </Button>
        )}
        {!isActive(run) &&
          refused.map(({ fileId, module }) => (
            <Button
              key={fileId}
              isDisabled={isSending}
              onClick={() =>
                send(async () => download(await readRejected(store.crm, run, module), `${module}.csv`))
              }
            >
              {texts.rejected(wordOf(texts.modules, module))}
            </Button>
          ))}
        {mayUndo && <Button onClick={() => setAsked(true)}>{texts.undo}</Button>}
      </p>
      {!isAsked && <ProblemText problem={problem} />}
      {isAsked && (
        <Dialog title={texts.undoTitle} onClose={() => setAsked(false)}>
          <p>{texts.undoHint}</p>
          <ProblemText problem={problem} />
          <Button kind="primary" isDisabled={isSending} onClick={() => send(takeBack)}>
            {texts.undoNow}
          </Button>
        </Dialog>
      )}
    </>
  )
}

function Issues({ issues }: { readonly issues: readonly ImportIssue[] }): JSX.Element {
  const texts = more.imports
  if (issues.length === 0) return <p>{texts.noIssues}</p>
  return (
    <>
      <SettingsTable label={texts.issues} columns={texts.issueColumns}>
        {issues.map(({ _id, row, column, value, severity, message }) => (
          <tr key={_id}>
            <Cell>{row}</Cell>
            <Cell>{column}</Cell>
            <Cell>{value}</Cell>
            <Cell>{wordOf(texts.severities, severity)}</Cell>
            <Cell>{message}</Cell>
          </tr>
        ))}
      </SettingsTable>
      {issues.length === 100 && <p class="hint">{texts.firstIssues}</p>}
    </>
  )
}
