import { domainOf, Failure, type IdFactory, noEmailSettings, ownershipRecord } from '@crmkit/core'
import type { Clock } from '../../ports/clock.ts'
import type { Storage } from '../../ports/storage.ts'
import type { RowOfTenant } from '../../ports/system-store.ts'
import { isoTime } from '../../shared/clock.ts'
import { emailForms } from '../../storage/rules/email-forms.ts'

/** The addresses that inboxes of all tenants have proven. */
export interface ProvenAddresses {
  /** Returns whether another inbox has proven the address, of whatever tenant. */
  isProvenElsewhere(of: { address: string; inboxId: string }): Promise<boolean>
  /**
   * Takes the address from another inbox whose proof is no longer among the published records. This is right without the request that
   * looked, and repeating it changes nothing, so it is a commit of its own in the other tenant. Throws CONFLICT while the other proof
   * is published.
   */
  release(of: { address: string; inboxId: string; published: readonly string[] }): Promise<void>
}

interface Parts {
  storage: Pick<Storage, 'system' | 'forTenant'>
  ids: IdFactory
  clock: Clock
}

export function createProvenAddresses({ storage, ids, clock }: Parts): ProvenAddresses {
  async function findOther(address: string, inboxId: string): Promise<RowOfTenant<'inboxes'> | undefined> {
    const found = await storage.system.across.provenAddresses.find(...emailForms(address))
    return found?.row._id === inboxId ? undefined : found
  }

  return {
    isProvenElsewhere: async ({ address, inboxId }) => (await findOther(address, inboxId)) !== undefined,
    async release({ address, inboxId, published }) {
      const other = await findOther(address, inboxId)
      if (other === undefined) return
      const { tenantId, row } = other
      const { value } = ownershipRecord({ inboxId: row._id, domain: domainOf(address) })
      if (published.includes(value))
        throw new Failure('CONFLICT', 'The DNS of the domain names another inbox with this address too')
      const now = isoTime(clock.nowMs())
      const set = { email: { ...noEmailSettings, ...row.email, domainProvenAt: null }, updatedAt: now }
      const entry = {
        _id: ids.next('aud'),
        tenantId,
        at: now,
        actor: { type: 'system' as const, _id: null },
        action: 'inbox.domainChecked',
        target: { type: 'inbox', _id: row._id },
        reason: null,
        changed: ['email.domainProvenAt'],
        requestId: null,
      }
      await storage.forTenant(tenantId).commit({
        writes: [
          { op: 'update', kind: 'inboxes', id: row._id, expectVersion: row.version, set },
          { op: 'insert', kind: 'auditLog', row: entry },
        ],
        events: [],
      })
    },
  }
}
