import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { problemOf } from '../../api/problem.ts'
import type { BrowserSession } from '../../api/session.ts'
import { t } from '../../strings/strings.ts'
import { Button } from '../../ui/button.tsx'
import { addressOf } from '../../ui/navigation.ts'
import { SignInForm } from './sign-in-form.tsx'

interface SignInScreenProps {
  readonly session: BrowserSession
  readonly onSignedIn: (session: Awaited<ReturnType<BrowserSession['signIn']>>) => void
  readonly children?: ComponentChildren
}

export function SignInScreen({ session, onSignedIn, children }: SignInScreenProps): JSX.Element {
  return (
    <Card title={t.signIn.title}>
      <SignInForm session={session} onSignedIn={onSignedIn} />
      <a href={addressOf('forgotten-password')}>{t.signIn.forgot}</a>
      {children}
    </Card>
  )
}

/** The page behind the link that this screen sends is a page of the service, which needs no session. */
export function ForgottenPasswordScreen({ session }: Pick<SignInScreenProps, 'session'>): JSX.Element {
  const [email, setEmail] = useState('')
  const [sentence, setSentence] = useState('')
  const [isDone, setDone] = useState(false)
  const id = useId()
  const submit = async () => {
    setSentence('')
    try {
      await session.requestPasswordReset(email)
      setDone(true)
    } catch (error) {
      setSentence(problemOf(error).sentence)
    }
  }
  return (
    <Card title={t.signIn.resetTitle}>
      {isDone ? (
        <p role="status">{t.signIn.resetDone}</p>
      ) : (
        <form
          class="sign-in-form"
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
          }}
        >
          <p>{t.signIn.resetHint}</p>
          <div class="field">
            <label for={id}>{t.signIn.email}</label>
            <input
              id={id}
              class="input"
              type="email"
              autocomplete="username"
              required
              value={email}
              onInput={({ currentTarget }) => setEmail(currentTarget.value)}
            />
          </div>
          <p class="field-error" role="alert">
            {sentence}
          </p>
          <Button kind="primary" type="submit">
            {t.signIn.resetSubmit}
          </Button>
        </form>
      )}
      <a href={addressOf()}>{t.signIn.back}</a>
    </Card>
  )
}

export function Card({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <div>
          <p class="sign-in-brand">crmkit</p>
          <h1>{title}</h1>
        </div>
        {children}
      </div>
    </main>
  )
}
