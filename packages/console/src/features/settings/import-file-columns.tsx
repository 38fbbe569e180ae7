import type { ImportColumn, ImportFile, Integration, UpdateImportFile } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { updateImportFile, updateSource } from '../../api/imports.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { wordOf } from '../../strings/word-of.ts'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { importMeanings, importTargets } from './import-targets.ts'
import { styles } from './settings-styles.ts'
import { Cell, SettingsTable } from './settings-table.tsx'

interface ImportFileColumnsProps {
  readonly store: Store
  readonly integration: Integration
  readonly file: ImportFile
  readonly onChanged: () => void
}

/** An uploaded file: how it is read, and where each column and each word goes. A choice is stored at once. */
export function ImportFileColumns(props: ImportFileColumnsProps): JSX.Element {
  const { store, integration, file, onChanged } = props
  const { problem, send } = useSending()
  const texts = more.imports
  const { module, filename, survey, columns = [] } = file
  const save = (work: () => Promise<unknown>) =>
    send(async () => {
      await work()
      onChanged()
    })
  const update = (body: UpdateImportFile) => updateImportFile(store.crm, integration._id, file._id, body)
  const setTarget = (name: string, target: string | null) => {
    const mapping = { [module]: { ...integration.mapping[module], [name]: target } }
    save(() => updateSource(store.crm, integration._id, { mapping }))
  }
  const setMeaning = (target: string, word: string, meaning: string) => {
    const known = integration.values[module]
    const values = { [module]: { ...known, [target]: { ...known?.[target], [word]: meaning } } }
    save(() => updateSource(store.crm, integration._id, { values }))
  }
  return (
    <section aria-label={filename}>
      <h4 dir="auto">
        {wordOf(texts.modules, module)}:{' '}
        {texts.fileFacts(filename, String(survey?.rows ?? file.rowsRead ?? 0))}
      </h4>
      {survey?.status === 'running' && <p role="status">{texts.surveying}</p>}
      {survey?.status === 'failed' && <p role="alert">{texts.surveyFailed(survey.error?.message ?? '')}</p>}
      <FileFacts file={file} onUpdate={(body) => save(() => update(body))} />
      <ProblemText problem={problem} />
      <SettingsTable label={texts.columnsOf(filename)} columns={texts.columnTitles}>
        {columns.map((column) => (
          <tr key={column.position}>
            <Cell>{column.name}</Cell>
            <Cell>{column.samples.join(' · ')}</Cell>
            <Cell>
              <TargetSelect module={module} column={column} onChange={setTarget} />
            </Cell>
          </tr>
        ))}
      </SettingsTable>
      {columns.map((column) => (
        <WordTable key={column.position} column={column} onChange={setMeaning} />
      ))}
    </section>
  )
}

interface FileFactsProps {
  readonly file: ImportFile
  readonly onUpdate: (body: UpdateImportFile) => void
}

function FileFacts({ file: { delimiter, encoding }, onUpdate }: FileFactsProps): JSX.Element {
  const texts = more.imports
  const known = Object.keys(texts.delimiters)
  const signs = delimiter === null || known.includes(delimiter) ? known : [delimiter, ...known]
  return (
    <p style={styles.actions}>
      <span>
        {texts.encoding}: {encoding}
      </span>
      {delimiter !== null && (
        <label>
          {texts.delimiter}{' '}
          <select
            class="input"
            style={{ width: 'auto' }}
            value={delimiter}
            onChange={({ currentTarget }) => onUpdate({ delimiter: currentTarget.value })}
          >
            {signs.map((sign) => (
              <option key={sign} value={sign}>
                {wordOf(texts.delimiters, sign)}
              </option>
            ))}
          </select>
        </label>
      )}
    </p>
  )
}

interface TargetSelectProps {
  readonly module: string
  readonly column: ImportColumn
  readonly onChange: (column: string, target: string | null) => void
}

const customPrefix = 'customFields.'

function TargetSelect({ module, column: { name, target }, onChange }: TargetSelectProps): JSX.Element {
  const texts = more.imports
  const own = `${customPrefix}${name}`
  const other = target?.startsWith(customPrefix) && target !== own ? target : undefined
  return (
    <select
      class="input"
      style={{ width: 'auto' }}
      aria-label={texts.targetOf(name)}
      value={target ?? ''}
      onChange={({ currentTarget }) => onChange(name, currentTarget.value || null)}
    >
      <option value="">{texts.leaveOut}</option>
      <option value={own}>{texts.custom}</option>
      {other && <option value={other}>{texts.customOf(other.slice(customPrefix.length))}</option>}
      {(importTargets[module] ?? []).map((one) => (
        <option key={one} value={one}>
          {wordOf(texts.targets, one)}
        </option>
      ))}
    </select>
  )
}

interface WordTableProps {
  readonly column: ImportColumn
  readonly onChange: (target: string, word: string, meaning: string) => void
}

function WordTable({ column: { name, target, values }, onChange }: WordTableProps): JSX.Element | null {
  const texts = more.imports
  const meanings = importMeanings[target ?? '']
  if (target === null || meanings === undefined || values === null || values.length === 0) return null
  return (
    <SettingsTable label={texts.words(name)} columns={texts.wordTitles}>
      {values.map(({ value, count, meaning }) => (
        <tr key={value}>
          <Cell>{value}</Cell>
          <Cell>{count}</Cell>
          <Cell>
            <select
              class="input"
              style={{ width: 'auto' }}
              aria-label={texts.meaningOf(value)}
              value={meaning ?? ''}
              onChange={({ currentTarget }) => onChange(target, value, currentTarget.value)}
            >
              {meaning === null && <option value="">{texts.noMeaning}</option>}
              {meanings.map((one) => (
                <option key={one} value={one}>
                  {wordOf(texts.meanings, one)}
                </option>
              ))}
            </select>
          </Cell>
        </tr>
      ))}
    </SettingsTable>
  )
}
