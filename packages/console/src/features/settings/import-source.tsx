import type { ImportFile, ImportRun, Integration } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { readImportFiles, readRuns, readSource, startImport } from '../../api/imports.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { momentTime } from '../../strings/times.ts'
import { wordOf } from '../../strings/word-of.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { Empty, ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { ImportDefaults } from './import-defaults.tsx'
import { ImportFileColumns } from './import-file-columns.tsx'
import { ImportResult } from './import-result.tsx'
import { ImportUpload } from './import-upload.tsx'
import { styles } from './settings-styles.ts'
import { Cell, SettingsTable } from './settings-table.tsx'

interface ImportSourceProps {
  readonly store: Store
  readonly id: string
  readonly addressOfAll: string
}

interface Source {
  readonly integration: Integration
  readonly files: readonly ImportFile[]
  readonly runs: readonly ImportRun[]
}

const pollMs = 1_000

/** A source of imports: its files with their columns, the trial, the import, and the runs so far. */
export function ImportSource({ store, id, addressOfAll }: ImportSourceProps): JSX.Element {
  const { source, problem, read } = useSource(store, id)
  const texts = more.imports
  return (
    <>
      <p>
        <a href={addressOfAll}>{texts.back}</a>
      </p>
      {problem?.code === 'NOT_FOUND' ? (
        <Empty title={texts.notFound} />
      ) : (
        problem && <ProblemBox title={more.settings.failed} reason={problem} onRetry={read} />
      )}
      {source === undefined && !problem && <SkeletonRows count={4} rowHeight={40} />}
      {source && (
        <>
          <h3 dir="auto">{source.integration.name}</h3>
          {source.integration.provider === 'file' && (
            <>
              <ImportUpload store={store} id={id} onUploaded={read} />
              {source.files.map((file) => (
                <ImportFileColumns
                  key={`${file._id} ${file.updatedAt}`}
                  store={store}
                  integration={source.integration}
                  file={file}
                  onChanged={read}
                />
              ))}
              <ImportDefaults store={store} integration={source.integration} onChanged={read} />
            </>
          )}
          <Runs store={store} source={source} onChanged={read} />
        </>
      )}
    </>
  )
}

function useSource({ crm }: Store, id: string) {
  const [source, setSource] = useState<Source>()
  const [problem, setProblem] = useState<Problem>()
  const read = () => {
    setProblem(undefined)
    Promise.all([readSource(crm, id), readImportFiles(crm, id), readRuns(crm, id)]).then(
      ([integration, files, runs]) => setSource({ integration, files, runs }),
      (error) => setProblem(problemOf(error)),
    )
  }
  useEffect(read, [])
  const isSurveyed = source?.files.some(({ survey }) => survey?.status === 'running') ?? false
  useEffect(() => {
    if (!isSurveyed) return
    const timer = setTimeout(read, pollMs)
    return () => clearTimeout(timer)
  }, [source])
  return { source, problem, read }
}

interface RunsProps {
  readonly store: Store
  readonly source: Source
  readonly onChanged: () => void
}

function Runs({ store, source, onChanged }: RunsProps): JSX.Element {
  const { integration, files, runs } = source
  const [chosen, setChosen] = useState<string>()
  const { isSending, problem, send } = useSending()
  const texts = more.imports
  const runId = chosen ?? runs[0]?._id
  const isBusy = runs.some(({ status }) => ['queued', 'running', 'paused'].includes(status))
  const mayStart = integration.provider !== 'package' && (integration.provider !== 'file' || files.length > 0)
  const start = async (dryRun: boolean) => {
    setChosen(await startImport(store.crm, integration._id, { dryRun }))
    onChanged()
  }
  return (
    <>
      <h3>{texts.runs}</h3>
      {mayStart && (
        <>
          <p class="hint">{texts.startHint}</p>
          <p style={styles.actions}>
            <Button isDisabled={isSending || isBusy} onClick={() => send(() => start(true))}>
              {texts.dryRun}
            </Button>
            <Button kind="primary" isDisabled={isSending || isBusy} onClick={() => send(() => start(false))}>
              {texts.start}
            </Button>
          </p>
        </>
      )}
      <ProblemText problem={problem} />
      {runId && (
        <ImportResult
          key={runId}
          store={store}
          integrationId={integration._id}
          runId={runId}
          onEnded={onChanged}
        />
      )}
      {runs.length === 0 ? (
        <p>{texts.noRuns}</p>
      ) : (
        <SettingsTable label={texts.runs} columns={texts.runColumns}>
          {runs.map(({ _id, createdAt, dryRun, status, undo }) => (
            <tr key={_id}>
              <Cell>{momentTime(createdAt)}</Cell>
              <Cell>{dryRun ? texts.trial : texts.real}</Cell>
              <Cell>
                {undo.status === 'none'
                  ? wordOf(texts.runStates, status)
                  : wordOf(texts.undoStates, undo.status)}
              </Cell>
              <Cell>
                <Button isSmall onClick={() => setChosen(_id)}>
                  {texts.show(momentTime(createdAt))}
                </Button>
              </Cell>
            </tr>
          ))}
        </SettingsTable>
      )}
    </>
  )
}
