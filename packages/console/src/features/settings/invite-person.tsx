import type { InvitedUser } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { useFocus } from '../../ui/use-focus.ts'
import { RoleField, type RoleName } from './role-field.tsx'

interface InvitePersonProps {
  readonly store: Store
  readonly onInvited: (user: InvitedUser) => void
}

/** The inside of the dialog that invites a person. */
export function InvitePerson({ store, onInvited }: InvitePersonProps): JSX.Element {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<RoleName>('agent')
  const { isSending, problem, send } = useSending()
  const field = useFocus(true)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send(async () => onInvited(await store.crm.users.create({ email, role })))
      }}
    >
      <label class="field">
        {more.settings.people.email}
        <input
          ref={field}
          class="input"
          type="email"
          required
          value={email}
          onInput={({ currentTarget }) => setEmail(currentTarget.value)}
        />
      </label>
      <RoleField store={store} role={role} onChange={setRole} />
      <ProblemText problem={problem} />
      <Button type="submit" kind="primary" isDisabled={isSending}>
        {more.settings.people.submit}
      </Button>
    </form>
  )
}
