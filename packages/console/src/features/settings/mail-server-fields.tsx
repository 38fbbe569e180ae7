import type { JSX } from 'preact'
import { more } from '../../strings/more.ts'
import { wordOf } from '../../strings/word-of.ts'
import type { ServerValues } from './inbox-mail-values.ts'
import { styles } from './settings-styles.ts'

interface MailServerFieldsProps {
  readonly label: string
  readonly server: ServerValues
  readonly hasPassword: boolean
  readonly isUserRequired: boolean
  readonly onChange: (server: ServerValues) => void
}

const portMax = 65_535

/** The host, the user and the password of a mail server. */
export function MailServerFields({
  label,
  server,
  hasPassword,
  isUserRequired,
  onChange,
}: MailServerFieldsProps): JSX.Element {
  const texts = more.inboxForms
  const text = (field: 'host' | 'user', isRequired: boolean) => (
    <label class="field">
      {texts.server[field]}
      <input
        class="input"
        required={isRequired}
        spellcheck={false}
        autocomplete="off"
        value={server[field]}
        onInput={({ currentTarget }) => onChange({ ...server, [field]: currentTarget.value })}
      />
    </label>
  )
  const securities = [...new Set([...Object.keys(texts.securities), server.security])]
  return (
    <fieldset style={styles.choices}>
      <legend>{label}</legend>
      {text('host', true)}
      <label class="field">
        {texts.server.port}
        <input
          class="input"
          type="number"
          required
          min={1}
          max={portMax}
          value={server.port}
          onInput={({ currentTarget }) => onChange({ ...server, port: currentTarget.valueAsNumber })}
        />
      </label>
      <label class="field">
        {texts.server.security}
        <select
          class="input"
          value={server.security}
          onChange={({ currentTarget }) =>
            onChange({ ...server, security: currentTarget.value as ServerValues['security'] })
          }
        >
          {securities.map((security) => (
            <option key={security} value={security}>
              {wordOf(texts.securities, security)}
            </option>
          ))}
        </select>
      </label>
      {text('user', isUserRequired)}
      <label class="field">
        {texts.server.password}
        <input
          class="input"
          type="password"
          autocomplete="new-password"
          value={server.password}
          onInput={({ currentTarget }) => onChange({ ...server, password: currentTarget.value })}
        />
      </label>
      <p class="hint">{hasPassword ? texts.passwordStored : texts.passwordNone}</p>
    </fieldset>
  )
}
