import { z } from 'zod'
import { rule } from '../shared/rule.ts'
import { optionalEmail } from '../shared/text.ts'
import { spfIncludeOf } from './mail-providers.ts'

export const mailTestSteps = ['resolve', 'connect', 'tls', 'sign_in', 'open_folder', 'send'] as const
export type MailTestStep = (typeof mailTestSteps)[number]

export const emailTestBody = z
  .strictObject({
    to: optionalEmail.describe(
      'Address that gets a test mail; without one the test ends before a mail is sent.',
    ),
  })
  .meta({ id: 'TestEmail', description: 'A test of the mail servers of an inbox.' })

export const emailTest = z
  .object({
    ok: z.boolean().describe('Whether every step succeeded.'),
    steps: z
      .array(
        z.object({
          server: z.enum(['imap', 'smtp']).describe('Server that was tried: `imap` receives, `smtp` sends.'),
          step: z.enum(mailTestSteps).describe('Step of the connection.'),
          ok: z.boolean().describe('Whether the step succeeded.'),
          ms: z.int().describe('Duration of the step in milliseconds.'),
          error: z.string().nullable().describe('Why it failed, in one sentence; null otherwise.'),
        }),
      )
      .describe('Steps of each server in their order, up to the first that failed.'),
    proposals: z
      .object({
        authservIds: z
          .array(z.string())
          .describe(
            'Names for `email.authservIds`: the server that received at least 18 of the last 20 mails and wrote their topmost `Authentication-Results`. Empty where it is among them already.',
          ),
      })
      .describe('Settings that the mail of the inbox suggests. The service never changes them by itself.'),
  })
  .meta({ id: 'EmailTest', description: 'Result of a test of mail servers.' })
export type EmailTest = z.infer<typeof emailTest>

export const dnsPurposes = ['ownership', 'spf', 'dkim', 'dmarc', 'mx'] as const

export const dnsRecord = z.object({
  purpose: z
    .enum(dnsPurposes)
    .describe('Use of the record; `mx` where the service receives mail over SMTP: it brings the mail there.'),
  type: z.enum(['TXT', 'MX']).describe('Type of the record.'),
  name: z.string().describe('Name of the record.'),
  value: z.string().describe('Value to publish; of `MX` the preference and the name of the server.'),
  published: z
    .array(z.string())
    .nullable()
    .describe('Values that are published; null when the name servers did not respond.'),
  ok: z
    .boolean()
    .nullable()
    .describe(
      'Whether a published value does what is needed: of SPF, whether it allows the server that mail leaves by. Null when that cannot be said.',
    ),
  reason: z
    .string()
    .nullable()
    .describe('Why it is not right, or cannot be said, in one sentence; null otherwise.'),
})
export type DnsRecord = z.infer<typeof dnsRecord>

export const inboxDns = z
  .object({
    domain: z.string().describe('Domain of the address.'),
    ok: z.boolean().describe('Whether every record is published.'),
    records: z.array(dnsRecord).describe('Records for the domain.'),
  })
  .meta({ id: 'InboxDns', description: 'DNS records for the mail of an inbox.' })

export const dkimKeyBody = z
  .strictObject({
    selector: z
      .string()
      .trim()
      .max(63)
      .overwrite((text) => text.toLowerCase())
      .refine(
        (text) => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text),
        rule('selector', 'must be letters, digits and hyphens'),
      )
      .nullable()
      .optional()
      .describe('Name of the key in the DNS. Default: `crm1`, or `crm2` when the present key is `crm1`.'),
  })
  .meta({ id: 'MakeDkimKey', description: 'A new key that signs mail.' })

interface DomainMail {
  inboxId: string
  domain: string
  dkim: { selector: string; publicKey: string } | null
  /** The server that the mail of the inbox leaves by; null for none. */
  host: string | null
  /** The domain whose mail the service receives over SMTP, and the name of its server; null: it receives none. */
  door: { domain: string; host: string } | null
}

/** The record that proves the owner of a domain to be the tenant: only the owner can publish the id of the inbox. */
export function ownershipRecord({ inboxId, domain }: Pick<DomainMail, 'inboxId' | 'domain'>) {
  return { name: `_crmkit.${domain}`, value: `crmkit-verify=${inboxId}` }
}

export interface WantedRecord extends Pick<DnsRecord, 'purpose' | 'type' | 'name' | 'value'> {
  /** Returns whether these published values do what is needed; null: the record has to be evaluated. */
  accepts: ((published: readonly string[]) => boolean) | null
}

/** Returns the records that the mail of an inbox needs. */
export function wantedRecords({ inboxId, domain, dkim, host, door }: DomainMail): WantedRecord[] {
  const type = 'TXT' as const
  const ownership = ownershipRecord({ inboxId, domain })
  return [
    { purpose: 'ownership', type, ...ownership, accepts: (published) => published.includes(ownership.value) },
    {
      purpose: 'spf',
      type,
      name: domain,
      value: ['v=spf1 mx', ...(host === null ? [] : spfTerms(host)), '~all'].join(' '),
      accepts: null,
    },
    ...(dkim === null
      ? []
      : [
          {
            purpose: 'dkim' as const,
            type,
            name: `${dkim.selector}._domainkey.${domain}`,
            value: `v=DKIM1; k=rsa; p=${dkim.publicKey}`,
            accepts: (published: readonly string[]) =>
              published.some((value) => keyOf(value) === dkim.publicKey),
          },
        ]),
    {
      purpose: 'dmarc',
      type,
      name: `_dmarc.${domain}`,
      value: 'v=DMARC1; p=none',
      // Two such records are as bad as none (RFC 7489).
      accepts: (published) => published.filter((value) => /^v=dmarc1/i.test(value)).length === 1,
    },
    ...(door === null
      ? []
      : [
          {
            purpose: 'mx' as const,
            type: 'MX' as const,
            name: door.domain,
            value: `10 ${door.host}`,
            // Any server: the name of ours may be another one, or a server in front passes the mail on. A lone dot refuses
            // all mail (RFC 7505).
            accepts: (published: readonly string[]) => published.some((value) => !value.endsWith(' .')),
          },
        ]),
  ]
}

/** Returns the terms of SPF for a server: none for a name that only a local network or a developer's machine knows. */
export function spfTerms(host: string): string[] {
  if (z.ipv4().safeParse(host).success) return [`ip4:${host}`]
  if (z.ipv6().safeParse(host).success) return [`ip6:${host}`]
  const include = spfIncludeOf(host)
  if (include !== undefined) return [`include:${include}`]
  return host.includes('.') ? [`a:${host}`] : []
}

/** The tag `p` of a published key; a provider may split it by blanks. */
function keyOf(record: string): string | undefined {
  return /(?:^|;)\s*p\s*=([^;]*)/.exec(record)?.[1]?.replaceAll(/\s/g, '')
}
