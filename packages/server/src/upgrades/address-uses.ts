import { addressesOfMail, addressUsesOf } from '../storage/rules/address-uses.ts'
import { upgradeStep } from './upgrade-step.ts'

/**
 * Notes the addresses of mails that an earlier version stored, so that an erasure finds them. Every mail needs it by its row
 * alone; one whose addresses are noted has nothing to write.
 */
export const addressUsesStep = upgradeStep({
  name: 'addressUses',
  kind: 'messages',
  since: '0.2.0',
  needs: (row) => addressesOfMail(row).length > 0,
  async upgrade(row, { store }) {
    const { tenantId, conversationId, createdAt: now } = row
    const uses = addressUsesOf({ tenantId, conversationId, addresses: addressesOfMail(row), now })
    const known = await Promise.all(uses.map(({ row: use }) => store.addressUses.find(use._id)))
    return { writes: uses.filter((_, index) => known[index] === undefined) }
  },
})
