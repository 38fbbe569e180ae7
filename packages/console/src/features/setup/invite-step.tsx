import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { serviceAddress } from '../../api/addresses.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'

interface InviteStepProps {
  readonly store: Store
  readonly attempt: (work: () => Promise<unknown>) => Promise<void>
}

interface Invited {
  readonly email: string
  readonly link: string
}

/** Invites a colleague, and shows the link: it works without any mail. */
export function InviteStep({ store, attempt }: InviteStepProps): JSX.Element {
  const [email, setEmail] = useState('')
  const [invited, setInvited] = useState<Invited | undefined>(undefined)
  const id = useId()
  const invite = async () => {
    const { inviteToken } = await store.crm.users.create({ email, role: 'agent' })
    setInvited({ email, link: `${serviceAddress}/account/invite#token=${inviteToken}` })
    setEmail('')
  }
  return (
    <>
      <p>{more.setup.invite}</p>
      <form
        class="sign-in-form"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(invite)
        }}
      >
        <div class="field">
          <label for={id}>{t.signIn.email}</label>
          <input
            id={id}
            class="input"
            type="email"
            required
            value={email}
            onInput={({ currentTarget }) => setEmail(currentTarget.value)}
          />
        </div>
        <span>
          <Button type="submit">{more.setup.inviteSubmit}</Button>
        </span>
      </form>
      {invited && <CopyText label={more.setup.inviteLink(invited.email)} text={invited.link} />}
    </>
  )
}
