import type { Clock } from '../../ports/clock.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { Storage } from '../../ports/storage.ts'
import { conversationOfTag } from '../../security/mail-tags.ts'
import { isoTime } from '../../shared/clock.ts'
import { inboundTokenHash, inboundTokenPattern } from '../../shared/inbound-token.ts'
import { findMailTags } from '../../shared/mail-key.ts'
import type { TenantId } from '../../storage/records.ts'

export interface RecipientParts {
  storage: Pick<Storage, 'forTenant' | 'system'>
  secrets: SecretBox
  clock: Clock
  /** The domain whose mail this service receives by itself, in lower case. */
  domain: string
}

export interface FoundRecipient {
  tenantId: TenantId
  inboxId: string
  /** Anybody who was sent a mail knows a signed address; only the owner of the inbox knows its token. */
  isTrusted: boolean
  isSuspended: boolean
}

const tenantsPerPage = 100

/** Returns the inbox of a recipient; undefined for every address that this service did not make. */
export async function findRecipient(
  parts: RecipientParts,
  address: string,
): Promise<FoundRecipient | undefined> {
  const at = address.lastIndexOf('@')
  if (address.slice(at + 1).toLowerCase() !== parts.domain) return undefined
  const local = address.slice(0, at)
  if (inboundTokenPattern.test(local)) return findByToken(parts, local)
  const plus = local.indexOf('+')
  return plus === -1 ? undefined : findBySignature(parts, local.slice(plus + 1))
}

/** The previous token holds during its overlap, as it does over HTTP. */
async function findByToken(
  { storage, clock }: RecipientParts,
  token: string,
): Promise<FoundRecipient | undefined> {
  const hash = inboundTokenHash(token)
  const found = await storage.system.findInboxByInboundToken(hash)
  if (found === undefined) return undefined
  const { inboundTokenHash: current, previousInboundTokenEndsAt: endsAt } = found.inbox
  if (current !== hash && (endsAt ?? '') <= isoTime(clock.nowMs())) return undefined
  const tenant = await storage.system.findTenant(found.tenantId)
  if (tenant === undefined) return undefined
  const { tenantId, inbox } = found
  return { tenantId, inboxId: inbox._id, isTrusted: true, isSuspended: tenant.isSuspended }
}

/** The key of a signature is its tenant's, so the conversation is searched tenant by tenant. */
async function findBySignature(parts: RecipientParts, tag: string): Promise<FoundRecipient | undefined> {
  const { storage, secrets } = parts
  const conversationId = conversationOfTag(tag)
  if (conversationId === undefined) return undefined
  for (let after = ''; ; ) {
    const tenants = await storage.system.listTenants({ after, limit: tenantsPerPage })
    // Side by side, because each read may be a round trip to the database.
    const found = await Promise.all(
      tenants.map(async ({ tenantId, isSuspended }) => {
        const store = storage.forTenant(tenantId)
        return { store, isSuspended, conversation: await store.conversations.find(conversationId) }
      }),
    )
    for (const { store, isSuspended, conversation } of found) {
      if (conversation === undefined) continue
      const tags = await findMailTags(store, secrets)
      if (tags?.conversationOf(tag) !== conversationId) continue
      return { tenantId: store.tenantId, inboxId: conversation.inboxId, isTrusted: false, isSuspended }
    }
    if (tenants.length < tenantsPerPage) return undefined
    after = tenants.at(-1)?._id ?? ''
  }
}
