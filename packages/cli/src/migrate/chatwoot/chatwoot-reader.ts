import { usageError } from '../../cli-error.ts'
import type { Reader } from '../reader.ts'
import { readConversations } from './chatwoot-conversations.ts'
import {
  checkAccount,
  readAgents,
  readFieldNames,
  readInboxes,
  readLabels,
  readReplies,
} from './chatwoot-lists.ts'
import { readContacts } from './chatwoot-people.ts'
import { readRatings } from './chatwoot-ratings.ts'

/**
 * Chatwoot, by its OpenAPI document (swagger/swagger.json, version 1.1.0). Fields that only its views have are named where they are used:
 * https://github.com/chatwoot/chatwoot/tree/develop/app/views/api/v1
 */
export const chatwootReader: Reader = {
  product: 'chatwoot',
  productName: 'Chatwoot',
  // One installation has many accounts, and many installations have one account.
  accountOf: ({ base, account }) => `${base.host}/${accountIdOf(account)}`,
  baseOf: ({ base, account }) => new URL(`api/v1/accounts/${accountIdOf(account)}/`, base),
  headersOf: ({ token }) => ({ api_access_token: token }),
  steps: [
    { title: 'Account', run: checkAccount },
    { title: 'Agents', run: readAgents },
    { title: 'Inboxes', run: readInboxes },
    { title: 'Labels', run: readLabels },
    { title: 'Canned responses', run: readReplies },
    { title: 'Names of fields', run: readFieldNames },
    { title: 'Contacts', run: readContacts },
    { title: 'Conversations', run: readConversations },
    { title: 'Ratings', run: readRatings },
  ],
}

export function accountIdOf(account: string | undefined): string {
  if (account === undefined || !/^[1-9]\d{0,9}$/.test(account))
    throw usageError('--account must be the number of the account, as the addresses of Chatwoot show it.')
  return account
}
