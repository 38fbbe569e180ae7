import type { Session } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { giveNotices } from '../features/notices/notices.ts'
import { SignInForm } from '../features/sign-in/sign-in-form.tsx'
import { ForgottenPasswordScreen, SignInScreen } from '../features/sign-in/sign-in-screen.tsx'
import type { Store } from '../store/store.ts'
import { t } from '../strings/strings.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { lazy } from '../ui/lazy.tsx'
import { navigate, route } from '../ui/navigation.ts'
import { Banner, ProblemBox, SkeletonRows } from '../ui/states.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { setupAddress } from './addresses.ts'
import { InboxScreen, preloadThread } from './inbox-screen.tsx'
import { enter, isReachable, session, signOut, stage, start } from './running-console.ts'
import { followTheme } from './theme.ts'

const Gallery = IS_DEVELOPMENT
  ? lazy('gallery', () => import('./gallery.tsx').then(({ Gallery: Screen }) => Screen))
  : undefined

/** With the dialogs, which are loaded at the same time. */
const StatusLines = lazy(
  'dialogs',
  () => import('./dialog-contents.tsx').then((contents) => contents.StatusLines),
  null,
)

/** With the dialogs too. Most people have a team, and sign in without it. */
const Registration = lazy(
  'dialogs',
  () => import('./dialog-contents.tsx').then((all) => all.Registration),
  null,
)
const CreateTeamScreen = lazy('dialogs', () =>
  import('./dialog-contents.tsx').then((all) => all.CreateTeamScreen),
)

export function App(): JSX.Element {
  // Before the first paint.
  useLayoutEffect(followTheme, [])
  useEffect(() => void start(), [])
  useEffect(preloadThread, [])
  return (
    <div class="shell">
      <div>
        {!isReachable.value && <Banner>{t.status.offline}</Banner>}
        {stage.value.name === 'signedIn' && <StatusLines store={stage.value.store} />}
      </div>
      <Screen />
      <Toasts />
    </div>
  )
}

function Screen(): JSX.Element {
  if (Gallery !== undefined && route.value[0] === 'ui') return <Gallery />
  const now = stage.value
  if (now.name === 'starting') return <SkeletonRows count={8} rowHeight={84} />
  if (now.name === 'failed') {
    return (
      <main>
        <ProblemBox title={t.status.startFailed} reason={now.problem} onRetry={() => void start()} />
      </main>
    )
  }
  if (now.name === 'signedIn') return <SignedIn store={now.store} hasEnded={now.hasEnded} />
  if (route.value[0] === 'forgotten-password') return <ForgottenPasswordScreen session={session} />
  if (route.value[0] === 'create-team') return <CreateTeamScreen onCreated={begin} />
  return (
    <SignInScreen session={session} onSignedIn={(signedIn) => void enter(signedIn)}>
      <Registration />
    </SignInScreen>
  )
}

/** The first screen of a new team is what it does first. */
function begin(signedIn: Session): void {
  session.accept(signedIn)
  navigate(setupAddress(), { replace: true })
  void enter(signedIn)
}

function SignedIn({ store, hasEnded }: { readonly store: Store; readonly hasEnded: boolean }): JSX.Element {
  useEffect(() => giveNotices(store), [store])
  return (
    <main style={{ minHeight: 0 }}>
      <InboxScreen store={store} onSignOut={() => void signOut()} />
      {hasEnded && (
        <Dialog title={t.signIn.again}>
          <p>{t.signIn.againHint}</p>
          <SignInForm session={session} email={store.me.email} onSignedIn={(next) => void enter(next)} />
          <Button kind="plain" onClick={() => window.location.reload()}>
            {t.signIn.other}
          </Button>
        </Dialog>
      )}
    </main>
  )
}
