import type { InboxEmail, MailProvider } from '@crmkit/core'
import type { SecretBox } from '../ports/secret-box.ts'
import { type InboxRecord, mailSecretsId } from '../storage/kinds/inboxes.ts'

/** The secrets of an inbox's e-mail. */
export interface MailSecrets {
  smtpPassword?: string
  imapPassword?: string
  mailgunSigningKey?: string
  /** SPKI in base64 of its DER form, as SendGrid shows it. */
  sendgridVerificationKey?: string
  /** PKCS #8 in PEM form. */
  dkimPrivateKey?: string
  grant?: MailGrant
}

/** The sign-in of a person at the provider of a mailbox. */
export interface MailGrant {
  provider: MailProvider
  refreshToken: string
  /** When the refresh token was stored: Microsoft replaces it with each use, and the one before stays valid for weeks. */
  storedAt: string
}

type Sealed = Pick<InboxRecord, '_id' | 'tenantId' | 'mailSecrets'>

const contextOf = ({ _id, tenantId }: Sealed) => ({ tenantId, id: mailSecretsId(_id) })

/** Throws when the row was changed outside the service or its key is missing. */
export function openMailSecrets(box: SecretBox, inbox: Sealed): MailSecrets {
  return inbox.mailSecrets ? JSON.parse(box.open(inbox.mailSecrets, contextOf(inbox))) : {}
}

/** Returns the sealed secrets; null without any. */
export function sealMailSecrets(box: SecretBox, inbox: Sealed, secrets: MailSecrets): string | null {
  return Object.keys(secrets).length === 0 ? null : box.seal(JSON.stringify(secrets), contextOf(inbox))
}

/** Returns the secrets that the settings still name: those of another server or domain are removed. */
export function secretsOfSettings(secrets: MailSecrets, email: InboxEmail): MailSecrets {
  const { smtpPassword, imapPassword, mailgunSigningKey, sendgridVerificationKey, dkimPrivateKey, grant } =
    secrets
  return {
    ...(email.hasSmtpPassword && smtpPassword !== undefined && { smtpPassword }),
    ...(email.hasImapPassword && imapPassword !== undefined && { imapPassword }),
    ...(email.hasMailgunSigningKey && mailgunSigningKey !== undefined && { mailgunSigningKey }),
    ...(email.hasSendgridVerificationKey &&
      sendgridVerificationKey !== undefined && { sendgridVerificationKey }),
    ...(email.oauth !== null && grant !== undefined && { grant }),
    ...(email.dkim !== null && dkimPrivateKey !== undefined && { dkimPrivateKey }),
  }
}
