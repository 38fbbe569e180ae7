import { usageError } from '../../cli-error.ts'
import type { Reader } from '../reader.ts'
import { credentialRefused } from '../source-error.ts'
import { idOf, rowOf } from '../values.ts'
import { readConversations } from './intercom-conversations.ts'
import { readAdmins, readCompanies, readMacros, readTags } from './intercom-lists.ts'
import { readContacts } from './intercom-people.ts'

/** Intercom, by its OpenAPI document: https://github.com/intercom/Intercom-OpenAPI, descriptions/2.16. */
export const intercomReader: Reader = {
  product: 'intercom',
  productName: 'Intercom',
  // All workspaces of a region have one address.
  accountOf: async ({ account }, client) => {
    const { app } = await client.ask('me')
    const id = idOf(rowOf(app)['id_code'])
    if (id === undefined) throw credentialRefused('Intercom', 'it names no workspace.')
    if (account !== undefined && account !== id)
      throw usageError(`The token belongs to the workspace ${id}, not to ${account}.`)
    return id
  },
  headersOf: ({ token }) => ({ Authorization: `Bearer ${token}`, 'Intercom-Version': '2.16' }),
  steps: [
    { title: 'Admins', run: readAdmins },
    { title: 'Tags', run: readTags },
    { title: 'Macros', run: readMacros },
    { title: 'Companies', run: readCompanies },
    { title: 'Contacts', run: readContacts },
    { title: 'Conversations', run: readConversations },
  ],
}
