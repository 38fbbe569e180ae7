import { readAll } from '../shared/read-all.ts'
import { upgradeStep } from './upgrade-step.ts'

/**
 * Fills when each customer of before has last written, by what the step before says about their conversations, which also gives
 * their companies to the filter of lists. It leaves the version: nobody has worked on the customer.
 */
export const lastContactsStep = upgradeStep({
  name: 'lastContacts',
  kind: 'customers',
  since: '0.3.0',
  needs: ({ lastContactAt }) => lastContactAt === undefined,
  async upgrade({ _id: id }, { store }) {
    let latest = ''
    const conversations = readAll((cursor) =>
      store.conversations.listRows({ customerId: id, sort: 'createdAt', page: 1, limit: 100, cursor }),
    )
    for await (const { lastCustomerMessageAt } of conversations)
      if ((lastCustomerMessageAt ?? '') > latest) latest = lastCustomerMessageAt ?? ''
    const set = latest === '' ? { setIfNull: { lastContactAt: null } } : { max: { lastContactAt: latest } }
    return { writes: [{ op: 'patch', kind: 'customers', id, ...set }] }
  },
})
