import { domainOf, type getInboxDns, ownershipRecord, type verifyDomain, wantedRecords } from '@crmkit/core'
import type { Handler } from '../handler.ts'
import { getMailInbox } from './mail-of-inbox.ts'
import { showInbox } from './show-inbox.ts'

export const handleGetInboxDns: Handler<typeof getInboxDns> = async (ctx, { params: { id } }) => {
  const { email } = await getMailInbox(ctx, id)
  const { mail, dns } = ctx.services
  const domain = domainOf(email.address)
  const relayHost = mail.relay?.server.host ?? null
  const host = email.transport === 'smtp' ? (email.smtp?.host ?? null) : relayHost
  const wanted = wantedRecords({ inboxId: id, domain, dkim: email.dkim, host, door: mail.smtpDoor })
  const records = await Promise.all(
    wanted.map(async ({ accepts, ...record }) => {
      const published = await dns.find(record.type, record.name)
      return { ...record, published, ok: published !== null && accepts(published) }
    }),
  )
  return { reply: { success: true, data: { domain, ok: records.every(({ ok }) => ok), records } } }
}

export const handleVerifyDomain: Handler<typeof verifyDomain> = async (ctx, { params: { id } }) => {
  const { services, now } = ctx
  const { row, email } = await getMailInbox(ctx, id)
  const { name, value } = ownershipRecord({ inboxId: id, domain: domainOf(email.address) })
  const published = await services.dns.find('TXT', name)
  // Silent name servers prove nothing in either direction.
  const domainProvenAt =
    published === null
      ? email.domainProvenAt
      : published.includes(value)
        ? (email.domainProvenAt ?? now)
        : null
  if (published !== null && domainProvenAt !== null && email.domainProvenAt === null)
    await services.provenAddresses.release({ address: email.address, inboxId: id, published })
  const set = { email: { ...email, domainProvenAt }, updatedAt: now }
  return {
    change: { writes: [{ op: 'update', kind: 'inboxes', id, expectVersion: row.version, set }], events: [] },
    audit: { action: 'inbox.domainChecked', target: { type: 'inbox', _id: id } },
    reply: { success: true, data: await showInbox(ctx, { ...row, ...set }) },
  }
}
