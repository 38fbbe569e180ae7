import type { Reader } from '../reader.ts'
import {
  checkAccount,
  readAddresses,
  readAgents,
  readFieldNames,
  readMacros,
  readOrganizations,
} from './zendesk-lists.ts'
import { readPeople } from './zendesk-people.ts'
import { readRatings } from './zendesk-ratings.ts'
import { readTickets } from './zendesk-tickets.ts'

/**
 * Zendesk Support, by its OpenAPI document (Support API, version 2.0.0). Fields that the document lacks are named where they are
 * used, with their source.
 */
export const zendeskReader: Reader = {
  product: 'zendesk',
  productName: 'Zendesk',
  accountOf: ({ base }) => base.host.replace(/\.zendesk\.com$/, ''),
  headersOf: ({ token, email }) => ({
    Authorization:
      email === undefined
        ? `Bearer ${token}`
        : `Basic ${Buffer.from(`${email}/token:${token}`).toString('base64')}`,
  }),
  steps: [
    { title: 'Account', run: checkAccount },
    { title: 'Agents', run: readAgents },
    { title: 'Addresses', run: readAddresses },
    { title: 'Names of fields', run: readFieldNames },
    { title: 'Macros', run: readMacros },
    { title: 'Organizations', run: readOrganizations },
    { title: 'People', run: readPeople },
    { title: 'Tickets', run: readTickets },
    { title: 'Ratings', run: readRatings },
  ],
}
