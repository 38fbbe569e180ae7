import type { Integration } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { createFileSource, readSources } from '../../api/imports.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { momentTime } from '../../strings/times.ts'
import { wordOf } from '../../strings/word-of.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { navigate } from '../../ui/navigation.ts'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { Empty, ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { useFocus } from '../../ui/use-focus.ts'
import { ImportSource } from './import-source.tsx'
import { styles } from './settings-styles.ts'
import { Cell, SettingsTable } from './settings-table.tsx'

interface ImportsSectionProps {
  readonly store: Store
  /** A part of the address: the id of the source that is open. */
  readonly item: string | undefined
  readonly addressOf: (item?: string) => string
}

/** The sources of imports, or one of them. */
export function ImportsSection({ store, item, addressOf }: ImportsSectionProps): JSX.Element {
  if (item !== undefined)
    return <ImportSource key={item} store={store} id={item} addressOfAll={addressOf()} />
  return <SourceList store={store} addressOf={addressOf} />
}

function SourceList({ store, addressOf }: Omit<ImportsSectionProps, 'item'>): JSX.Element {
  const [sources, setSources] = useState<readonly Integration[]>()
  const [problem, setProblem] = useState<Problem>()
  const [isNew, setNew] = useState(false)
  const texts = more.imports
  const read = () => {
    setProblem(undefined)
    readSources(store.crm).then(setSources, (error) => setProblem(problemOf(error)))
  }
  useEffect(read, [])
  return (
    <>
      <p>{texts.hint}</p>
      <p style={styles.actions}>
        <Button kind="primary" onClick={() => setNew(true)}>
          {texts.new}
        </Button>
      </p>
      {problem && <ProblemBox title={more.settings.failed} reason={problem} onRetry={read} />}
      {sources === undefined && !problem && <SkeletonRows count={4} rowHeight={40} />}
      {sources?.length === 0 && <Empty title={texts.none} hint={texts.noneHint} />}
      {sources !== undefined && sources.length > 0 && (
        <SettingsTable label={more.settings.names.imports} columns={texts.columns}>
          {sources.map(({ _id, name, provider, syncStatus, lastSyncAt }) => (
            <tr key={_id}>
              <Cell>
                <a href={addressOf(_id)}>{name}</a>
              </Cell>
              <Cell>{wordOf(texts.providers, provider)}</Cell>
              <Cell>{wordOf(texts.states, syncStatus)}</Cell>
              <Cell>{lastSyncAt ? momentTime(lastSyncAt) : texts.never}</Cell>
            </tr>
          ))}
        </SettingsTable>
      )}
      <p class="hint">{texts.crmHint}</p>
      {isNew && (
        <Dialog title={texts.new} onClose={() => setNew(false)}>
          <NewSource store={store} onCreated={({ _id }) => navigate(addressOf(_id))} />
        </Dialog>
      )}
    </>
  )
}

interface NewSourceProps {
  readonly store: Store
  readonly onCreated: (source: Integration) => void
}

function NewSource({ store, onCreated }: NewSourceProps): JSX.Element {
  const [name, setName] = useState('')
  const { isSending, problem, send } = useSending()
  const field = useFocus(true)
  const texts = more.imports
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send(async () => onCreated(await createFileSource(store.crm, name.trim())))
      }}
    >
      <label class="field">
        {texts.name}
        <input
          ref={field}
          class="input"
          dir="auto"
          required
          maxLength={100}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <p class="hint">{texts.nameHint}</p>
      <ProblemText problem={problem} />
      <Button type="submit" kind="primary" isDisabled={isSending || name.trim() === ''}>
        {texts.create}
      </Button>
    </form>
  )
}
