import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import type { BrowserSession } from '../../api/session.ts'
import { t } from '../../strings/strings.ts'
import { Button } from '../../ui/button.tsx'
import { useFocus } from '../../ui/use-focus.ts'
import './sign-in.css'

interface SignInFormProps {
  readonly session: BrowserSession
  /** The only person who may sign in, where somebody was signed in before. */
  readonly email?: string | undefined
  /** Id of the only team, where it is chosen already. */
  readonly teamId?: string | undefined
  readonly onSignedIn: (session: Awaited<ReturnType<BrowserSession['signIn']>>) => void
}

interface Team {
  readonly _id: string
  readonly name: string
}

/** The teams of the person, from the refusal of a sign-in that names none. */
function teamsOf(error: unknown): readonly Team[] {
  const { body } = error as { body?: { tenants?: readonly Team[] } }
  return Array.isArray(body?.tenants) ? body.tenants : []
}

function sentenceOf({ kind, sentence }: Problem): string {
  return kind === 'signedOut' ? t.signIn.wrong : sentence
}

export function SignInForm(props: SignInFormProps): JSX.Element {
  const { session, email: onlyEmail, teamId, onSignedIn } = props
  const [email, setEmail] = useState(onlyEmail ?? '')
  const [password, setPassword] = useState('')
  const [teams, setTeams] = useState<readonly Team[]>([])
  const [tenantId, setTenantId] = useState(teamId ?? '')
  const [sentence, setSentence] = useState('')
  const [isBusy, setBusy] = useState(false)
  const id = useId()
  const passwordField = useFocus(onlyEmail !== undefined)
  const submit = async () => {
    setBusy(true)
    setSentence('')
    try {
      onSignedIn(await session.signIn({ email, password, ...(tenantId && { tenantId }) }))
    } catch (error) {
      const found = teamsOf(error)
      setTeams(found)
      setTenantId(found[0]?._id ?? '')
      setSentence(found.length > 0 ? t.signIn.chooseTeam : sentenceOf(problemOf(error)))
    }
    setBusy(false)
  }
  return (
    <form
      class="sign-in-form"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <div class="field">
        <label for={`${id}-email`}>{t.signIn.email}</label>
        <input
          id={`${id}-email`}
          class="input"
          type="email"
          autocomplete="username"
          required
          readOnly={onlyEmail !== undefined}
          value={email}
          onInput={({ currentTarget }) => setEmail(currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for={`${id}-password`}>{t.signIn.password}</label>
        <input
          ref={passwordField}
          id={`${id}-password`}
          class="input"
          type="password"
          autocomplete="current-password"
          required
          value={password}
          onInput={({ currentTarget }) => setPassword(currentTarget.value)}
        />
      </div>
      {teams.length > 0 && (
        <div class="field">
          <label for={`${id}-team`}>{t.signIn.team}</label>
          <select
            id={`${id}-team`}
            class="input"
            value={tenantId}
            onChange={({ currentTarget }) => setTenantId(currentTarget.value)}
          >
            {teams.map((team) => (
              <option key={team._id} value={team._id}>
                {team.name}
              </option>
            ))}
          </select>
        </div>
      )}
      <p class="field-error" role="alert">
        {sentence}
      </p>
      <Button kind="primary" type="submit" isDisabled={isBusy}>
        {t.signIn.submit}
      </Button>
    </form>
  )
}
