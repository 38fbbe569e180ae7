import { usageError } from '../../cli-error.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Client } from '../../profile/open-client.ts'

/** The id of `me`, of an e-mail, or what is an id already; null for `none`. */
export async function findAssignee(client: Client, name: string): Promise<string | null> {
  if (name === 'none') return null
  if (name === 'me') return ownId(client)
  if (!name.includes('@')) return name
  const wanted = name.toLowerCase()
  const user = await client.call(async (crm) => {
    for await (const one of crm.users.list()) if (one.email.toLowerCase() === wanted) return one
    return undefined
  })
  if (user) return user._id
  throw usageError(`There is no user ${cleanLine(name)}.`, '"crm users list" shows them.')
}

async function ownId({ call, credential }: Client): Promise<string> {
  if (credential.kind === 'session') return (await call((crm) => crm.users.me()))._id
  throw usageError('"me" needs a signed-in person; an API key is nobody.', 'Name a user by id or e-mail.')
}
