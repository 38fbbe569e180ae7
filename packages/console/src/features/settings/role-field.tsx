import type { JSX } from 'preact'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { styles } from './settings-styles.ts'

export type RoleName = keyof typeof more.settings.roles
const roleNames = Object.keys(more.settings.roles) as RoleName[]

export function isRoleName(role: string): role is RoleName {
  return role in more.settings.roles
}

export function nameOfRole(role: string): string {
  return isRoleName(role) ? more.settings.roles[role] : role
}

interface RoleFieldProps {
  readonly store: Store
  readonly role: RoleName | undefined
  readonly onChange: (role: RoleName) => void
}

/** The roles that a person may give, each with what it does. */
export function RoleField({ store, role, onChange }: RoleFieldProps): JSX.Element {
  const offered = roleNames.filter((one) => one !== 'owner' || store.me.role === 'owner')
  return (
    <fieldset style={styles.choices}>
      <legend>{more.settings.people.role}</legend>
      {offered.map((one) => (
        <label key={one}>
          <input type="radio" name="role" checked={one === role} onChange={() => onChange(one)} />{' '}
          <strong>{more.settings.roles[one]}</strong> {more.settings.roleHints[one]}
        </label>
      ))}
    </fieldset>
  )
}
