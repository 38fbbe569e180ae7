/** Providers of mailboxes that a person signs in to instead of giving a password. */
export const mailProviders = ['google', 'microsoft'] as const
export type MailProvider = (typeof mailProviders)[number]

interface ProviderServer {
  host: string
  port: number
  security: 'tls' | 'starttls'
}

/**
 * The servers of each provider. Google: https://developers.google.com/workspace/gmail/imap/imap-smtp. Microsoft:
 * https://learn.microsoft.com/exchange/client-developer/legacy-protocols/how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth
 */
export const mailProviderServers: Readonly<
  Record<MailProvider, { name: string; imap: ProviderServer; smtp: ProviderServer }>
> = {
  google: {
    name: 'Google',
    imap: { host: 'imap.gmail.com', port: 993, security: 'tls' },
    smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls' },
  },
  microsoft: {
    name: 'Microsoft',
    imap: { host: 'outlook.office365.com', port: 993, security: 'tls' },
    smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
  },
}

/**
 * The record of SPF that a provider asks its customers to include, by the end of its servers' names. Sources: "Set up SPF" of Google Workspace
 * Admin Help; "Set up SPF to identify valid email sources" of Microsoft Learn; "Using a custom MAIL FROM domain" of the Amazon
 * SES Developer Guide; "Domain verification" of the Mailgun documentation; "Sender Policy Framework" of the Twilio SendGrid
 * documentation; "SPF" of Postmark Support; "Authenticating domains with SPF and DKIM" of Mailjet; "Manual DNS configuration" of
 * Fastmail Help.
 */
const spfIncludes: readonly (readonly [host: string, include: string])[] = [
  ['gmail.com', '_spf.google.com'],
  ['google.com', '_spf.google.com'],
  ['office365.com', 'spf.protection.outlook.com'],
  ['outlook.com', 'spf.protection.outlook.com'],
  ['amazonaws.com', 'amazonses.com'],
  ['mailgun.org', 'mailgun.org'],
  ['sendgrid.net', 'sendgrid.net'],
  ['postmarkapp.com', 'spf.mtasv.net'],
  ['mailjet.com', 'spf.mailjet.com'],
  ['fastmail.com', 'spf.messagingengine.com'],
]

/** Returns the record of SPF that lists the servers of the provider of a host; undefined for a host of no known provider. */
export function spfIncludeOf(host: string): string | undefined {
  const name = host.toLowerCase()
  return spfIncludes.find(([end]) => name === end || name.endsWith(`.${end}`))?.[1]
}
