import type { Inbox, UpdateInbox } from '@crmkit/sdk'

export type WidgetSettings = NonNullable<UpdateInbox['widget']>
export type EmailSettings = NonNullable<UpdateInbox['email']>

/** The settings of the widget as a change of one of them sends them: they are replaced as a whole. */
export function widgetSettings({ widget }: Pick<Inbox, 'widget'>): WidgetSettings {
  const { publicKey, identitySecretPrefix, previousIdentitySecretExpiresAt, lastSeen, ...settings } = widget
  return settings
}

/** The e-mail settings as a change of one of them sends them, without the states and the secrets that the service keeps itself. */
export function emailSettings({ email }: Pick<Inbox, 'email'>): EmailSettings {
  const { oauth, dkim, domainProvenAt, addressProvenElsewhere, imap, smtp, ...plain } = email
  const { hasSmtpPassword, hasImapPassword, hasMailgunSigningKey, hasSendgridVerificationKey, ...named } =
    plain
  const { eventsTokenMadeAt, inboundTokenPrefix, ...settings } = named
  return { ...settings, imap: serverOf(imap), smtp: serverOf(smtp) } as EmailSettings
}

function serverOf<S extends { status: object }>(server: S | null): Omit<S, 'status'> | null {
  if (server === null) return null
  const { status, ...settings } = server
  return settings
}
