import type { ComponentChildren, JSX, TargetedInputEvent } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { Store } from '../../store/store.ts'
import { ownUser, takeUser } from '../../store/take-user.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { nameOfRole } from './role-field.tsx'
import { styles } from './settings-styles.ts'

interface ProfileSectionProps {
  readonly store: Store
  /** The settings of this browser, with their headings. */
  readonly ofBrowser: ComponentChildren
}

/** Each person sets the own name, the password, and this browser. */
export function ProfileSection({ store, ofBrowser }: ProfileSectionProps): JSX.Element {
  return (
    <>
      <NameForm store={store} />
      <PasswordForm store={store} />
      {ofBrowser}
    </>
  )
}

function NameForm({ store }: { readonly store: Store }): JSX.Element {
  const me = ownUser(store)
  const texts = more.settings.profile
  const [firstName, setFirstName] = useState(me.firstName ?? '')
  const [lastName, setLastName] = useState(me.lastName ?? '')
  const { isSending, problem, send } = useSending()
  const save = async () => {
    const names = { firstName: firstName.trim() || null, lastName: lastName.trim() || null }
    takeUser(store, await store.crm.users.updateMe(names))
  }
  return (
    <form
      style={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        send(save, texts.saved)
      }}
    >
      <p>
        {me.email} · {nameOfRole(me.role)}
      </p>
      <Field label={texts.firstName} value={firstName} autocomplete="given-name" onInput={setFirstName} />
      <Field label={texts.lastName} value={lastName} autocomplete="family-name" onInput={setLastName} />
      <p class="hint">{texts.nameHint}</p>
      <ProblemText problem={problem} />
      <p>
        <Button type="submit" kind="primary" isDisabled={isSending}>
          {more.settings.save}
        </Button>
      </p>
    </form>
  )
}

function PasswordForm({ store }: { readonly store: Store }): JSX.Element {
  const texts = more.settings.profile
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const { isSending, problem, send } = useSending()
  const save = async () => {
    await store.crm.auth.changePassword({ currentPassword, newPassword })
    setCurrent('')
    setNew('')
  }
  return (
    <form
      style={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        send(save, texts.passwordSaved)
      }}
    >
      <h3>{texts.password}</h3>
      <Field
        label={texts.currentPassword}
        value={currentPassword}
        isPassword
        autocomplete="current-password"
        onInput={setCurrent}
      />
      <Field
        label={texts.newPassword}
        value={newPassword}
        isPassword
        autocomplete="new-password"
        onInput={setNew}
      />
      <p class="hint">{texts.passwordHint}</p>
      <ProblemText problem={problem} />
      <p>
        <Button type="submit" isDisabled={isSending || currentPassword === '' || newPassword === ''}>
          {texts.changePassword}
        </Button>
      </p>
    </form>
  )
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly isPassword?: boolean
  readonly autocomplete: 'given-name' | 'family-name' | 'current-password' | 'new-password'
  readonly onInput: (value: string) => void
}

function Field({ label, value, isPassword = false, autocomplete, onInput }: FieldProps): JSX.Element {
  const id = useId()
  const shared = {
    id,
    class: 'input',
    autocomplete,
    value,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => onInput(currentTarget.value),
  } as const
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {isPassword ? (
        <input {...shared} type="password" maxLength={1_000} />
      ) : (
        <input {...shared} type="text" dir="auto" maxLength={100} />
      )}
    </div>
  )
}
