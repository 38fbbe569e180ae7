import type { CreateApiKey, CreatedApiKey } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { createApiKey } from '../../api/api-keys.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { useFocus } from '../../ui/use-focus.ts'
import { styles } from './settings-styles.ts'

type Permission = CreateApiKey['permissions'][number]
type Preset = keyof typeof more.settings.keys.presets

const permissions = Object.keys(more.settings.keys.permissionNames) as Permission[]
const presets: Readonly<Record<Preset, readonly Permission[]>> = {
  read: ['read:conversations', 'read:customers', 'read:analytics'],
  product: ['read:conversations', 'write:conversations', 'read:customers', 'write:customers'],
  hooks: ['read:conversations', 'read:customers', 'webhook:manage'],
  everything: permissions,
}

interface NewKeyProps {
  readonly store: Store
  readonly onCreated: (key: CreatedApiKey) => void
}

/** The inside of the dialog that creates an API key. */
export function NewKey({ store, onCreated }: NewKeyProps): JSX.Element {
  const [name, setName] = useState('')
  const [displayName, setDisplayName] = useState('')
  const [chosen, setChosen] = useState<readonly Permission[]>(presets.read)
  const { isSending, problem, send } = useSending()
  const field = useFocus(true)
  const texts = more.settings.keys
  const create = async () =>
    onCreated(await createApiKey(store.crm, { name: name.trim(), displayName, permissions: chosen }))
  const isPreset = (preset: Preset) =>
    presets[preset].length === chosen.length && presets[preset].every((one) => chosen.includes(one))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send(create, texts.created(name.trim()))
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
      <label class="field">
        {texts.displayName}
        <input
          class="input"
          dir="auto"
          maxLength={100}
          value={displayName}
          onInput={({ currentTarget }) => setDisplayName(currentTarget.value)}
        />
      </label>
      <p class="hint">{texts.displayNameHint}</p>
      <fieldset style={styles.choices}>
        <legend>{texts.purpose}</legend>
        {(Object.keys(presets) as Preset[]).map((preset) => (
          <label key={preset}>
            <input
              type="radio"
              name="preset"
              checked={isPreset(preset)}
              onChange={() => setChosen(presets[preset])}
            />{' '}
            {texts.presets[preset]}
          </label>
        ))}
      </fieldset>
      <fieldset style={styles.choices}>
        <legend>{texts.permissions}</legend>
        {permissions.map((permission) => (
          <label key={permission}>
            <input
              type="checkbox"
              checked={chosen.includes(permission)}
              onChange={({ currentTarget }) =>
                setChosen(
                  permissions.filter((one) =>
                    one === permission ? currentTarget.checked : chosen.includes(one),
                  ),
                )
              }
            />{' '}
            {texts.permissionNames[permission]}
          </label>
        ))}
      </fieldset>
      <ProblemText problem={problem} />
      <Button type="submit" kind="primary" isDisabled={isSending || chosen.length === 0}>
        {texts.create}
      </Button>
    </form>
  )
}
