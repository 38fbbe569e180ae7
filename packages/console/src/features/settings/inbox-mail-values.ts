import type { Inbox, UpdateInbox } from '@crmkit/sdk'
import { type EmailSettings, emailSettings } from '../../api/inbox-settings.ts'

/** How mail comes into an inbox: not at all, from a mailbox with a password, or by a person's sign-in at its provider. */
export type Receives = 'nothing' | 'mailbox' | 'signIn'
/** How replies leave: `none` is the tenant's own system. */
export type Sends = 'none' | 'relay' | 'smtp' | 'signIn'

type Security = NonNullable<NonNullable<EmailSettings['smtp']>['security']>

/** The fields of a mail server, as a person types them. */
export interface ServerValues {
  readonly host: string
  readonly port: number
  readonly security: Security
  readonly user: string
  /** Empty: the stored one stays. */
  readonly password: string
}

/** The e-mail settings of an inbox, as its form shows them. */
export interface MailValues {
  readonly address: string
  readonly displayName: string
  readonly receives: Receives
  readonly isFetched: boolean
  readonly imap: ServerValues
  readonly sends: Sends
  readonly smtp: ServerValues
  readonly signature: string
  readonly sendDelaySeconds: number
  readonly reopenDays: number
  readonly isAutoReply: boolean
  readonly autoReply: string
}

const ports = { imap: 993, smtp: 587 }
const securities = { imap: 'tls', smtp: 'starttls' } as const

export function mailValuesOf(email: Inbox['email']): MailValues {
  const { imap, smtp, autoReply } = email
  return {
    address: email.address ?? '',
    displayName: email.displayName ?? '',
    receives: imap === null ? 'nothing' : imap.auth === 'oauth' ? 'signIn' : 'mailbox',
    isFetched: imap?.enabled ?? true,
    imap: serverValues('imap', imap),
    sends: email.transport === 'smtp' && smtp?.auth === 'oauth' ? 'signIn' : (email.transport as Sends),
    smtp: serverValues('smtp', smtp),
    signature: email.signature ?? '',
    sendDelaySeconds: email.sendDelaySeconds,
    reopenDays: email.reopenDays,
    isAutoReply: autoReply.enabled,
    autoReply: autoReply.content ?? '',
  }
}

function serverValues(name: 'imap' | 'smtp', server: Inbox['email']['imap' | 'smtp']): ServerValues {
  const { host = '', port = ports[name], security = securities[name], user = '' } = server ?? {}
  return { host, port, security: security as Security, user: user ?? '', password: '' }
}

/** Fills in the host and the user by the address, where a person has typed none: most providers name their servers so. */
export function suggestedServer(
  server: ServerValues,
  { name, address }: { name: 'imap' | 'smtp'; address: string },
): ServerValues {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  if (server.host !== '' || domain === '' || domain === address) return server
  return { ...server, host: `${name}.${domain}`, user: server.user || address }
}

/** The changed settings; fields without a place in the form stay as they are. */
export function emailBodyOf(inbox: Pick<Inbox, 'email'>, values: MailValues): EmailSettings {
  const before = emailSettings(inbox)
  const { receives, sends } = values
  const signIn = { auth: 'oauth' as const }
  return {
    ...before,
    address: values.address.trim() || null,
    displayName: values.displayName.trim() || null,
    imap:
      receives === 'nothing'
        ? null
        : {
            ...folderOf(before),
            ...(receives === 'signIn' ? signIn : passwordServer(values.imap)),
            enabled: values.isFetched,
          },
    transport: sends === 'signIn' ? 'smtp' : sends,
    // A server that nothing uses now keeps its settings and its password.
    smtp:
      sends === 'smtp' ? passwordServer(values.smtp) : sends === 'signIn' ? signIn : (before.smtp ?? null),
    signature: values.signature.trim() === '' ? null : values.signature,
    sendDelaySeconds: values.sendDelaySeconds,
    reopenDays: values.reopenDays,
    autoReply: { enabled: values.isAutoReply, content: values.autoReply.trim() || null },
  }
}

function folderOf({ imap }: EmailSettings): Pick<NonNullable<EmailSettings['imap']>, 'folder' | 'since'> {
  return { folder: imap?.folder ?? null, since: imap?.since ?? null }
}

function passwordServer({ host, port, security, user }: ServerValues) {
  return { auth: 'password' as const, host: host.trim(), port, security, user: user.trim() || null }
}

/** The passwords that were typed and belong to a server in use; undefined for none. */
export function passwordsOf({
  receives,
  imap,
  sends,
  smtp,
}: MailValues): Partial<Record<'imapPassword' | 'smtpPassword', string>> | undefined {
  const passwords = {
    ...(receives === 'mailbox' && imap.password !== '' && { imapPassword: imap.password }),
    ...(sends === 'smtp' && smtp.password !== '' && { smtpPassword: smtp.password }),
  }
  return Object.keys(passwords).length > 0 ? passwords : undefined
}

/** The settings of automatic assignment, of which the form shows two. */
export function assignmentOf(
  { autoAssign }: Pick<Inbox, 'autoAssign'>,
  changed: { enabled: boolean; maxOpen: number | null },
): UpdateInbox['autoAssign'] {
  return { ...autoAssign, ...changed }
}
