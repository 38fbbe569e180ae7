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
