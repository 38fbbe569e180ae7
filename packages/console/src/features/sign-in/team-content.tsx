import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import type { BrowserSession } from '../../api/session.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { Chooser } from '../../ui/chooser.tsx'
import { addressOf } from '../../ui/navigation.ts'
import { ProblemBox } from '../../ui/states.tsx'
import { SignInForm } from './sign-in-form.tsx'

interface TeamProps {
  readonly store: Store
  readonly session: BrowserSession
}

interface Team {
  readonly id: string
  readonly text: string
}

/** Signs in to another team of the same person: the inside of its dialog. Each team has a session, and a browser has one. */
export function TeamContent({ store, session }: TeamProps): JSX.Element {
  const [teams, setTeams] = useState<readonly Team[] | undefined>(undefined)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const [chosen, setChosen] = useState<Team | undefined>(undefined)
  useEffect(() => {
    store.crm.auth.me().then(
      ({ memberships }) =>
        setTeams(
          memberships
            .filter(({ userId }) => userId !== store.me._id)
            .map(({ tenant }) => ({ id: tenant._id, text: tenant.name })),
        ),
      (error) => setProblem(problemOf(error)),
    )
  }, [])
  return (
    <>
      {problem && <ProblemBox title={more.teams.failed} reason={problem} />}
      {teams?.length === 0 && <p>{more.teams.none(store.tenantName.value)}</p>}
      {teams && teams.length > 0 && chosen === undefined && (
        <Chooser
          label={t.dialogs.filter}
          choices={teams}
          onChoose={(id) => setChosen(teams.find((team) => team.id === id))}
        />
      )}
      {chosen && <p>{more.teams.signIn(chosen.text)}</p>}
      {chosen && (
        <SignInForm
          session={session}
          email={store.me.email}
          teamId={chosen.id}
          // Loaded again, so that nothing of this team is shown or sent in the other one.
          onSignedIn={() => window.location.assign(addressOf())}
        />
      )}
    </>
  )
}
