import { domainOf } from '@crmkit/core'
import type { Clock } from '../../../ports/clock.ts'
import type { SecretBox } from '../../../ports/secret-box.ts'
import type { Storage } from '../../../ports/storage.ts'
import { isoTime } from '../../../shared/clock.ts'
import { findInboxByToken, inboundTokenHash, inboundTokenPattern } from '../../../shared/inbound-token.ts'
import type { TenantId } from '../../../storage/records.ts'
import { emailForms } from '../../../storage/rules/email-forms.ts'
import { findMailTags } from '../../addresses/mail-key.ts'
import { type NamedByTag, readTag } from '../../addresses/mail-tags.ts'

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

/** Ids that were made in one moment may begin in the same way. */
const tenantsMax = 20

/** Returns the inbox of a recipient; undefined for every address that this service did not make. */
export async function findRecipient(
  parts: RecipientParts,
  address: string,
): Promise<FoundRecipient | undefined> {
  if (domainOf(address) !== parts.domain) return undefined
  const local = address.slice(0, address.lastIndexOf('@'))
  if (inboundTokenPattern.test(local)) return findByToken(parts, local)
  const plus = local.indexOf('+')
  return plus === -1
    ? undefined
    : findBySignature(parts, { local: local.slice(0, plus), tag: local.slice(plus + 1) })
}

/** The previous token holds during its overlap, as it does over HTTP. */
async function findByToken(
  { storage, clock }: RecipientParts,
  token: string,
): Promise<FoundRecipient | undefined> {
  const hash = inboundTokenHash(token)
  const found = await findInboxByToken(storage.system, hash)
  if (found === undefined) return undefined
  const { inboundTokenHash: current, previousInboundTokenEndsAt: endsAt } = found.row
  if (current !== hash && (endsAt ?? '') <= isoTime(clock.nowMs())) return undefined
  const tenant = await storage.system.findTenant(found.tenantId)
  if (tenant === undefined) return undefined
  const { tenantId, row } = found
  return { tenantId, inboxId: row._id, isTrusted: true, isSuspended: tenant.isSuspended }
}

/** The key of a signature is its tenant's, and the address leads to the tenant: nobody else's rows are read. */
async function findBySignature(
  parts: RecipientParts,
  { local, tag }: { local: string; tag: string },
): Promise<FoundRecipient | undefined> {
  const { storage, secrets } = parts
  const named = readTag(tag)
  if (named === undefined) return undefined
  for (const { tenantId, isSuspended } of await tenantsOf(parts, local, named)) {
    const store = storage.forTenant(tenantId)
    const conversation = await store.conversations.find(named.conversationId)
    if (conversation === undefined) continue
    const tags = await findMailTags(store, secrets)
    if (tags?.conversationOf(named.tag) !== named.conversationId) continue
    return { tenantId, inboxId: conversation.inboxId, isTrusted: false, isSuspended }
  }
  return undefined
}

/** Returns the tenants that an address may belong to: by the beginning of their id, or by the inboxes with that address. */
async function tenantsOf({ storage, domain }: RecipientParts, local: string, { tenantIdStart }: NamedByTag) {
  const { system } = storage
  if (tenantIdStart !== undefined) {
    const tenants = await system.listTenants({ after: tenantIdStart, limit: tenantsMax })
    return tenants.filter(({ tenantId }) => tenantId.startsWith(tenantIdStart))
  }
  const forms = emailForms(`${local}@${domain}`)
  const found = await Promise.all(forms.map((form) => system.across.emailAddresses.of(form, tenantsMax)))
  const tenantIds = [...new Set(found.flat().map(({ tenantId }) => tenantId))].slice(0, tenantsMax)
  const tenants = await Promise.all(tenantIds.map((id) => system.findTenant(id)))
  return tenants.filter((tenant) => tenant !== undefined)
}
