import { hash } from 'node:crypto'
import type { MailParticipant, MessageEmail } from '@crmkit/core'
import { normalizeEmail, replyAddressesOf } from '@crmkit/core/vocabulary'
import type { Write } from '../../ports/change.ts'
import type { AddressUse } from '../kinds/address-uses.ts'
import type { Kind } from '../kinds/registry.ts'

/** Returns the id of the row of a conversation and an address. */
export function addressUseId(of: Pick<AddressUse, 'conversationId' | 'address'>): string {
  return hash('sha256', `${of.conversationId} ${of.address}`, 'base64url')
}

interface Use {
  tenantId: string
  conversationId: string
  addresses: readonly string[]
  now: string
}

const isAddress = (text: string) => text.includes('@')

/** Returns the writes that note addresses of a conversation, each once. A text that is no address names nobody. */
export function addressUsesOf({ tenantId, conversationId, addresses, now }: Use) {
  return [...new Set(addresses.filter(isAddress).map(normalizeEmail))].map((address) => {
    const _id = addressUseId({ conversationId, address })
    const row: AddressUse = { _id, tenantId, conversationId, address, createdAt: now, updatedAt: now }
    return { op: 'ensure' as const, kind: 'addressUses' as const, row }
  })
}

/** Returns the addresses that a mail names; the sender of an outbound one is an inbox of the tenant. */
export function addressesOfMail({
  direction,
  email,
}: {
  direction: string
  email?: MessageEmail | null | undefined
}): string[] {
  if (!email) return []
  const { from, to, cc, bcc } = email
  const { forwardedFrom }: Partial<MessageEmail> = email
  const others = replyAddressesOf(email).map(({ address }) => address)
  const sender = direction === 'inbound' ? [from?.address, ...others, forwardedFrom?.address] : []
  return [...sender, ...[...to, ...cc, ...bcc].map(({ address }) => address)].filter(
    (address) => typeof address === 'string',
  )
}

const addressesOf = (participants: readonly MailParticipant[] = []) =>
  participants.map(({ address }) => address)

/**
 * Returns the rows that a change calls for beside its own: the addresses of the mails and participants that it writes.
 * Worked out for every commit, so that no door can forget them; a change without mail costs a look at its writes.
 */
export function addressUsesOfWrites(tenantId: string, writes: readonly Write<Kind>[]): Write<Kind>[] {
  return writes.flatMap((write): Write<Kind>[] => {
    if (write.kind === 'messages' && write.op === 'insert') {
      const { conversationId, createdAt: now } = write.row
      return addressUsesOf({ tenantId, conversationId, addresses: addressesOfMail(write.row), now })
    }
    if (write.kind !== 'conversations') return []
    if (write.op === 'insert') {
      const { _id: conversationId, participants, updatedAt: now } = write.row
      return addressUsesOf({ tenantId, conversationId, addresses: addressesOf(participants), now })
    }
    if (write.op !== 'update') return []
    const { participants, updatedAt } = write.set
    const last = participants?.at(-1)
    if (last === undefined) return []
    const now = updatedAt ?? last.addedAt
    return addressUsesOf({ tenantId, conversationId: write.id, addresses: addressesOf(participants), now })
  })
}
