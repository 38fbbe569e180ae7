import type { InvitedUser, User } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { serviceAddress } from '../../api/addresses.ts'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { momentTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { InvitePerson } from './invite-person.tsx'
import { PersonForm } from './person-form.tsx'
import { nameOfRole } from './role-field.tsx'
import { styles } from './settings-styles.ts'
import { Cell, SettingsTable } from './settings-table.tsx'

interface Invitation {
  readonly email: string
  readonly link: string
}

/** The people of the team: who is in it, with which role, and how one more comes in. */
export function PeopleSection({ store }: { readonly store: Store }): JSX.Element {
  const [doing, setDoing] = useState<'invite' | User>()
  const [invitation, setInvitation] = useState<Invitation>()
  const texts = more.settings.people
  const onInvited = ({ email, inviteToken, ...user }: InvitedUser) => {
    const known = store.users.peek().filter(({ _id }) => _id !== user._id)
    store.users.value = [{ ...user, email }, ...known]
    setInvitation({ email, link: `${serviceAddress}/account/invite#token=${inviteToken}` })
    setDoing(undefined)
  }
  return (
    <>
      <p style={styles.actions}>
        <Button kind="primary" onClick={() => setDoing('invite')}>
          {texts.invite}
        </Button>
      </p>
      {invitation && (
        <div role="status">
          <CopyText label={texts.link(invitation.email)} text={invitation.link} />
          <p>{texts.linkHint}</p>
        </div>
      )}
      <SettingsTable label={more.settings.names.people} columns={texts.columns}>
        {store.users.value.map((user) => (
          <tr key={user._id}>
            <Cell>{user._id === store.me._id ? texts.you(nameOfUser(user)) : nameOfUser(user)}</Cell>
            <Cell>{user.email}</Cell>
            <Cell>{nameOfRole(user.role)}</Cell>
            <Cell>{stateOf(user)}</Cell>
            <Cell>
              {mayChange(store, user) && (
                <Button isSmall onClick={() => setDoing(user)}>
                  {texts.change(nameOfUser(user))}
                </Button>
              )}
            </Cell>
          </tr>
        ))}
      </SettingsTable>
      <p class="hint">{texts.inactiveHint}</p>
      {doing === 'invite' && (
        <Dialog title={texts.invite} onClose={() => setDoing(undefined)}>
          <InvitePerson store={store} onInvited={onInvited} />
        </Dialog>
      )}
      {typeof doing === 'object' && (
        <Dialog title={texts.changeTitle(nameOfUser(doing))} onClose={() => setDoing(undefined)}>
          <PersonForm store={store} user={doing} onInvited={onInvited} onClose={() => setDoing(undefined)} />
        </Dialog>
      )}
    </>
  )
}

function stateOf({ isActive, inviteExpiresAt, availability, availabilitySince }: User): string {
  const { inactive, invited, inviteEnded } = more.settings.people
  if (inviteExpiresAt !== null)
    return Date.parse(inviteExpiresAt) > Date.now() ? invited(momentTime(inviteExpiresAt)) : inviteEnded
  if (!isActive) return inactive
  const names: Readonly<Record<string, string>> = more.availability.names
  return more.settings.people.since(names[availability] ?? availability, momentTime(availabilitySince))
}

/** Nobody locks themselves out here, and only owners change owners. */
function mayChange({ me }: Store, { _id, role }: User): boolean {
  return _id !== me._id && (role !== 'owner' || me.role === 'owner')
}
