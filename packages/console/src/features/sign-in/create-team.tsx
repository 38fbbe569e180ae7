import type { Registration as RegistrationState, Session } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { readRegistration, registerTeam } from '../../api/getting-in.ts'
import { faultsOf, problemOf } from '../../api/problem.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { addressOf, navigate } from '../../ui/navigation.ts'
import { Card } from './sign-in-screen.tsx'

/** The server prints an address with its token behind the `#`, which no server gets to see. */
const setupToken = new URLSearchParams(window.location.hash.slice(1)).get('setup')

const createAddress = addressOf('create-team')

/** Undefined until the server has answered, and where it cannot be asked: then people sign in as ever. */
function useRegistration(): RegistrationState | undefined {
  const [state, setState] = useState<RegistrationState | undefined>(undefined)
  useEffect(() => void readRegistration().then(setState, () => undefined), [])
  return state
}

/** Below the sign-in: how a team begins on this server. On one without any team it leads there at once. */
export function Registration(): JSX.Element | null {
  const state = useRegistration()
  const isFirst = state?.open === true && state.first
  useEffect(() => {
    if (isFirst) navigate(createAddress, { replace: true })
  }, [isFirst])
  if (state === undefined || isFirst) return null
  if (state.open) return <a href={createAddress}>{more.createTeam.title}</a>
  return (
    <p>
      {state.first ? more.createTeam.noTeam : more.createTeam.closed} <code>{more.createTeam.command}</code>
    </p>
  )
}

interface CreateTeamProps {
  readonly onCreated: (session: Session) => void
}

const fields = ['firstName', 'lastName', 'email', 'password', 'tenantName'] as const
type Field = (typeof fields)[number]

const autocomplete = {
  firstName: 'given-name',
  lastName: 'family-name',
  email: 'username',
  password: 'new-password',
  tenantName: 'organization',
} as const

/** A new team and its first person, who is signed in afterwards. */
export function CreateTeamScreen({ onCreated }: CreateTeamProps): JSX.Element {
  const state = useRegistration()
  const [values, setValues] = useState<Record<Field, string>>({
    firstName: '',
    lastName: '',
    email: '',
    password: '',
    tenantName: '',
  })
  const [sentence, setSentence] = useState('')
  const [isBusy, setBusy] = useState(false)
  const id = useId()
  const submit = async () => {
    setBusy(true)
    setSentence('')
    try {
      onCreated(await registerTeam({ ...values, setupToken }))
    } catch (error) {
      setSentence(sentenceOf(error))
      setBusy(false)
    }
  }
  const isTokenMissing = state?.setupToken === true && setupToken === null
  return (
    <Card title={more.createTeam.title}>
      {state && !state.open && (
        <p role="alert">
          {more.createTeam.closed} <code>{more.createTeam.command}</code>
        </p>
      )}
      {isTokenMissing && <p role="alert">{more.createTeam.tokenMissing}</p>}
      <form
        class="sign-in-form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {fields.map((field) => (
          <div key={field} class="field">
            <label for={`${id}-${field}`}>{more.createTeam.fields[field]}</label>
            <TeamField
              field={field}
              id={`${id}-${field}`}
              value={values[field]}
              onInput={(value) => setValues((now) => ({ ...now, [field]: value }))}
            />
            {field === 'password' && <small id={`${id}-${field}-hint`}>{more.createTeam.passwordHint}</small>}
          </div>
        ))}
        <p class="field-error" role="alert">
          {sentence}
        </p>
        <Button kind="primary" type="submit" isDisabled={isBusy}>
          {more.createTeam.submit}
        </Button>
      </form>
      {state && !state.first && <a href={addressOf('sign-in')}>{more.createTeam.signIn}</a>}
    </Card>
  )
}

interface TeamFieldProps {
  readonly field: Field
  readonly id: string
  readonly value: string
  readonly onInput: (value: string) => void
}

function TeamField({ field, id, value, onInput }: TeamFieldProps): JSX.Element {
  const shared = {
    id,
    value,
    class: 'input',
    autocomplete: autocomplete[field],
    required: field !== 'lastName',
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onInput(currentTarget.value),
  }
  if (field === 'email') return <input type="email" {...shared} />
  if (field !== 'password') return <input type="text" maxLength={100} {...shared} />
  return <input type="password" minLength={10} maxLength={128} aria-describedby={`${id}-hint`} {...shared} />
}

function sentenceOf(error: unknown): string {
  const problem = problemOf(error)
  // The address belongs to somebody on this server.
  if (problem.kind === 'signedOut') return more.createTeam.wrongPassword
  const [field] = fields.filter((one) => faultsOf(problem, one).length > 0)
  if (field === undefined) return problem.sentence
  return `${more.createTeam.fields[field]}: ${faultsOf(problem, field)[0]}`
}
