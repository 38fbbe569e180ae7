import type { Inbox, UpdateInbox } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'

/** The options of `crm inboxes email set`. */
export interface EmailOptions {
  readonly address?: string | undefined
  readonly displayName?: string | undefined
  readonly plusAddressing?: boolean | undefined
  readonly transport?: 'none' | 'relay' | 'smtp' | undefined
  readonly smtp?: { host: string; port: number } | undefined
  readonly smtpSecurity?: 'tls' | 'starttls' | undefined
  readonly smtpUser?: string | undefined
  readonly smtpPasswordFile?: string | undefined
  readonly delay?: number | undefined
  readonly reopenDays?: number | undefined
  readonly signatureFile?: string | undefined
  readonly autoReply?: boolean | undefined
  readonly autoReplyFile?: string | undefined
  readonly authservId?: readonly string[] | undefined
  readonly imap?: { host: string; port: number } | 'none' | undefined
  readonly imapSecurity?: 'tls' | 'starttls' | undefined
  readonly imapUser?: string | undefined
  readonly imapFolder?: string | undefined
  readonly imapSince?: string | undefined
  readonly imapPasswordFile?: string | undefined
  readonly mailgunKeyFile?: string | undefined
  readonly replyToSender?: string[] | undefined
  readonly sendgridKeyFile?: string | undefined
  readonly sesTopicArn?: string | undefined
  readonly sesConfigurationSet?: string | undefined
}

/** The contents of the files that were named. */
export interface EmailTexts {
  readonly signature?: string | undefined
  readonly autoReply?: string | undefined
}

type EmailBody = NonNullable<UpdateInbox['email']>

/** Returns the settings of a PUT: the server replaces them as a whole, and keeps its own fields by itself. */
export function changedEmail(
  current: Inbox['email'],
  options: EmailOptions,
  { signature, autoReply }: EmailTexts,
): EmailBody {
  const { smtp, imap } = current
  return {
    address: options.address ?? current.address,
    displayName: options.displayName ?? current.displayName,
    plusAddressing: options.plusAddressing ?? current.plusAddressing,
    authservIds: changedNames(current.authservIds, options.authservId),
    replyToSenders: changedNames(current.replyToSenders, options.replyToSender),
    signature: signature ?? current.signature,
    sesTopicArn: changedName(current.sesTopicArn, options.sesTopicArn),
    sesConfigurationSet: changedName(current.sesConfigurationSet, options.sesConfigurationSet),
    transport: options.transport ?? (current.transport as EmailBody['transport']),
    sendDelaySeconds: options.delay ?? current.sendDelaySeconds,
    reopenDays: options.reopenDays ?? current.reopenDays,
    autoReply: {
      enabled: options.autoReply ?? (autoReply === undefined ? current.autoReply.enabled : true),
      content: autoReply ?? current.autoReply.content,
    },
    imap: changedMailbox(imap, options),
    smtp: changedServer(smtp, options),
  }
}

function changedNames(current: string[], given: readonly string[] | undefined): string[] {
  if (given === undefined) return current
  return given.length === 1 && given[0] === 'none' ? [] : [...given]
}

function changedName(current: string | null, given: string | undefined): string | null {
  return given === 'none' ? null : (given ?? current)
}

function withoutStatus<T extends { status: unknown }>({
  status: _status,
  ...settings
}: T): Omit<T, 'status'> {
  return settings
}

function changedMailbox(
  current: Inbox['email']['imap'],
  { imap, imapSecurity, imapUser, imapFolder, imapSince }: EmailOptions,
): EmailBody['imap'] {
  if (imap === 'none') return null
  const given = [imap, imapSecurity, imapUser, imapFolder, imapSince]
  if (given.every((value) => value === undefined))
    return current && (withoutStatus(current) as EmailBody['imap'])
  const user = imapUser ?? current?.user
  if (current === null && imap === undefined) throw usageError('--imap names the server first.')
  if (user === undefined) throw usageError('--imap-user is missing.')
  return {
    ...(current && (withoutStatus(current) as NonNullable<EmailBody['imap']>)),
    auth: 'password',
    host: imap?.host ?? current?.host ?? '',
    port: imap?.port ?? current?.port ?? 993,
    // Values of a newer server are sent back as they are.
    security: imapSecurity ?? (current?.security as 'tls' | 'starttls' | undefined) ?? 'tls',
    user,
    folder: imapFolder ?? current?.folder ?? null,
    since: imapSince ?? current?.since ?? null,
  }
}

function changedServer(
  current: Inbox['email']['smtp'],
  { smtp, smtpSecurity, smtpUser }: EmailOptions,
): EmailBody['smtp'] {
  if (current === null && smtp === undefined) {
    if (smtpSecurity !== undefined || smtpUser !== undefined)
      throw usageError('--smtp names the server first.')
    return null
  }
  const given = [smtp, smtpSecurity, smtpUser]
  if (current !== null && given.every((value) => value === undefined))
    return withoutStatus(current) as EmailBody['smtp']
  return {
    host: smtp?.host ?? current?.host ?? '',
    port: smtp?.port ?? current?.port ?? 587,
    // Values of a newer server are sent back as they are.
    security: smtpSecurity ?? (current?.security as 'tls' | 'starttls' | undefined) ?? 'starttls',
    user: smtpUser ?? current?.user ?? null,
  }
}
