import type { InvitedUser, UpdateUser, User } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { takeUser } from '../../store/take-user.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { DeleteButton, ProblemText, useSending } from '../../ui/sending.tsx'
import { isRoleName, RoleField, type RoleName } from './role-field.tsx'
import { styles } from './settings-styles.ts'

interface PersonFormProps {
  readonly store: Store
  readonly user: User
  readonly onInvited: (user: InvitedUser) => void
  readonly onClose: () => void
}

/** The role of a person, and the ways out of the team: the inside of a dialog. */
export function PersonForm({ store, user, onInvited, onClose }: PersonFormProps): JSX.Element {
  const [role, setRole] = useState<RoleName | undefined>(isRoleName(user.role) ? user.role : undefined)
  const { isSending, problem, send } = useSending()
  const texts = more.settings.people
  const name = nameOfUser(user)
  const { users } = store.crm
  const change = (changes: UpdateUser, done: string) =>
    send(async () => {
      takeUser(store, await users.update(user._id, changes))
      onClose()
    }, done)
  const remove = async () => {
    await users.delete(user._id)
    store.users.value = store.users.peek().filter(({ _id }) => _id !== user._id)
    onClose()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (role !== undefined) change({ role }, texts.saved(name))
      }}
    >
      <RoleField store={store} role={role} onChange={setRole} />
      <Button type="submit" kind="primary" isDisabled={isSending}>
        {more.settings.save}
      </Button>
      <ProblemText problem={problem} />
      {user.isActive ? (
        <>
          <p>{texts.deactivateHint}</p>
          <DeleteButton
            label={texts.deactivate}
            sure={texts.deactivateNow}
            isDisabled={isSending}
            onDelete={() => change({ isActive: false }, texts.deactivated(name))}
          />
        </>
      ) : (
        <>
          <p>{texts.inactiveHint}</p>
          <p style={styles.actions}>
            <Button
              isDisabled={isSending}
              onClick={() => send(async () => onInvited(await users.inviteAgain(user._id)))}
            >
              {texts.newLink}
            </Button>
            <Button isDisabled={isSending} onClick={() => change({ isActive: true }, texts.activated(name))}>
              {texts.activate}
            </Button>
          </p>
        </>
      )}
      <p>{texts.removeHint}</p>
      <DeleteButton
        label={texts.remove}
        sure={texts.removeNow}
        isDisabled={isSending}
        onDelete={() => send(remove, texts.removed(name))}
      />
    </form>
  )
}
