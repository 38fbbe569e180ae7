import type { InboxEmail, Mailbox } from '@crmkit/core'
import { domainOf } from '@crmkit/core'
import type { MailRelay } from '../../ports/mail-sender.ts'
import { type MailTags, sharedTag } from './mail-tags.ts'

interface AddressParts {
  tenantId: string
  email: InboxEmail
  tags: MailTags
  conversationId: string
  relay: MailRelay | undefined
  /** The domain whose mail this service receives by itself; undefined for none. */
  domain: string | undefined
}

export interface ReplyAddresses {
  from: Mailbox
  /** Null: replies go to `from`. */
  replyTo: string | null
  /** Where bounces go. */
  envelopeFrom: string
}

/**
 * Returns the address that the mail of an inbox comes from. The relay sends as the installation's own address until the
 * DNS proves the domain: that an inbox names an address does not prove that it is the tenant's.
 */
export function senderOf({
  email,
  relay,
}: {
  email: InboxEmail | undefined
  relay: MailRelay | undefined
}): string {
  const own = email?.address ?? ''
  const isOwn = email?.transport !== 'relay' || (email.domainProvenAt ?? null) !== null
  return isOwn ? own : (relay?.from ?? own)
}

/** Returns the addresses of a reply. */
export function replyAddresses({ relay, ...parts }: AddressParts): ReplyAddresses {
  const { email } = parts
  const own = email.address ?? ''
  const address = senderOf({ email, relay })
  const isRelayed = address !== own
  const signed = signedAddress(parts)
  const answered = signed ?? (isRelayed ? own : null)
  return {
    from: { address, name: email.displayName },
    replyTo: answered === address ? null : answered,
    envelopeFrom: isRelayed ? address : ((email.plusAddressing ? signed : null) ?? own),
  }
}

/** Returns an address whose mail joins the conversation; null where the inbox cannot receive one. */
function signedAddress({
  tenantId,
  email,
  tags,
  conversationId,
  domain,
}: Omit<AddressParts, 'relay'>): string | null {
  const tag = tags.addressTag(conversationId)
  if (email.plusAddressing && email.address !== null) {
    const [local, host] = [email.address.slice(0, email.address.lastIndexOf('@')), domainOf(email.address)]
    return `${local}+${tag}@${host}`
  }
  return domain === undefined ? null : `reply+${sharedTag(tag, tenantId)}@${domain}`
}
