import { isIP } from 'node:net'
import {
  type DnsRecord,
  domainOf,
  type getInboxDns,
  ownershipRecord,
  spfIncludeOf,
  spfTerms,
  type verifyDomain,
  wantedRecords,
} from '@crmkit/core'
import type { DnsRecords } from '../../ports/dns-records.ts'
import { dnsWithin } from '../../shared/dns-within.ts'
import { judgeSpf, type SpfNeed, spfRecordOf } from '../../shared/spf.ts'
import { withSpfTerm } from '../../shared/spf-terms.ts'
import type { Handler } from '../handler.ts'
import { getMailInbox } from './mail-of-inbox.ts'
import { showInbox } from './show-inbox.ts'

export const handleGetInboxDns: Handler<typeof getInboxDns> = async (ctx, { params: { id } }) => {
  const { email } = await getMailInbox(ctx, id)
  const { mail } = ctx.services
  const dns = dnsWithin(ctx.services.dns, lookupsMs)
  const domain = domainOf(email.address)
  const relayHost = mail.relay?.server.host ?? null
  const host = email.transport === 'smtp' ? (email.smtp?.host ?? null) : relayHost
  const wanted = wantedRecords({ inboxId: id, domain, dkim: email.dkim, host, door: mail.smtpDoor })
  const records = await Promise.all(
    wanted.map(async ({ accepts, ...record }) => {
      const published = await dns.find(record.type, record.name)
      if (published === null) return { ...record, published, ok: null, reason: silent }
      if (accepts === null) return judgeRecord(dns, { ...record, published, host })
      return { ...record, published, ok: accepts(published), reason: null }
    }),
  )
  return {
    reply: { success: true, data: { domain, ok: records.every(({ ok }) => ok === true), records } },
  }
}

/** A person waits for the page. */
const lookupsMs = 5_000
const silent = 'The name servers did not respond.'

type Published = Omit<DnsRecord, 'ok' | 'reason'> & { published: string[] }

/** Judges the record of SPF by the server that mail leaves by, and adds what it lacks to the record that exists. */
async function judgeRecord(
  dns: DnsRecords,
  { host, ...record }: Published & { host: string | null },
): Promise<DnsRecord> {
  const need = await needOf(dns, host)
  if (need === null) return { ...record, ok: null, reason: silent }
  const { published } = record
  const result = await judgeSpf(dns, { domain: record.name, published, need })
  const existing = spfRecordOf(published)
  if (existing === undefined) return { ...record, ...result }
  const lacking = host === null || result.ok !== false ? [] : spfTerms(host)
  const value = lacking.reduce(withSpfTerm, existing)
  return { ...record, value, ...result }
}

/** Returns what the record has to allow; null when the name servers do not respond. */
async function needOf(dns: DnsRecords, host: string | null): Promise<SpfNeed | null> {
  if (host === null) return { unknown: 'The server that the mail leaves by is not known here.' }
  const include = spfIncludeOf(host)
  if (include !== undefined) return { include }
  if (spfTerms(host).length === 0)
    return { unknown: 'The server that the mail leaves by has a name of its own network.' }
  if (isIP(host) > 0) return { addresses: [host] }
  const found = await Promise.all([dns.find('A', host), dns.find('AAAA', host)])
  if (found.includes(null)) return null
  return { addresses: found.flatMap((addresses) => addresses ?? []) }
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
