import type { KeyObject } from 'node:crypto'

/** The service of topics that carries the events of Amazon SES. Both methods throw a `SourceFailure` where it cannot be reached. */
export interface MailTopics {
  /** Returns the key of the certificate at an address; undefined for an address that is not its own, or another text there. */
  keyAt(certificateUrl: string): Promise<KeyObject | undefined>
  /** Confirms a subscription at the server of a certificate whose key was returned. */
  confirm(subscription: { certificateUrl: string; topicArn: string; token: string }): Promise<void>
}

/** The proofs of the events of a door. */
export interface EventKeys {
  mailgun?: string | undefined
  /** SPKI in base64 of its DER form. */
  sendgrid?: string | undefined
  sesTopicArn?: string | undefined
}

/** The door for events about mails that left by the relay of the installation. */
export interface RelayEvents {
  token: string
  keys: EventKeys
}
