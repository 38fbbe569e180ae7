import { usageError } from '../../cli-error.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Call } from '../factories/add-command.ts'

/** The id of the user that `me`, an e-mail or an id names; null for `none`. */
export async function findAssignee({ crm, credential }: Call, name: string): Promise<string | null> {
  if (name === 'none') return null
  if (name === 'me') {
    if (credential.kind === 'session') return (await crm.users.me())._id
    throw usageError('"me" needs a signed-in user; an API key has none.', 'Name a user by id or e-mail.')
  }
  if (!name.includes('@')) return name
  const wanted = name.toLowerCase()
  for await (const user of crm.users.list()) if (user.email.toLowerCase() === wanted) return user._id
  throw usageError(`There is no user ${cleanLine(name)}.`, '"crm users list" shows all users.')
}
