import type { Readable } from 'node:stream'
import type { MailAttempt, MailTestStep } from '@crmkit/core'

/** Sends e-mail to one SMTP server. No other code of the service opens connections to mail servers. */
export interface MailSender {
  /** Makes one transaction with all recipients. Never rejects. */
  send(mail: OutgoingMail): Promise<MailResult>
  /** Tries a server step by step, up to the first step that fails; sends the mail where one is given. Never rejects. */
  probe(server: MailServer, mail?: Omit<OutgoingMail, 'server'>): Promise<ProbedStep[]>
  /** Returns the problem of a server as it is set up; undefined when it may be stored. */
  checkServer(server: Pick<MailServer, 'host' | 'port'>): { message: string; rule: 'destination' } | undefined
}

/** One step towards a server. */
export interface ProbedStep {
  step: MailTestStep
  ok: boolean
  ms: number
  /** One sentence that a person can act on; null for a step that succeeded. */
  error: string | null
}

export interface MailServer {
  host: string
  port: number
  /** `starttls` is required and never opportunistic; `none` is for the operator's relay on this machine alone. */
  security: 'tls' | 'starttls' | 'none'
  user: string | null
  password: string | null
  /** Of OAuth 2, for a user who has signed in at the provider. */
  accessToken?: string
  /** The operator has set the server up: it may have any address. */
  isOperators: boolean
}

export interface OutgoingMail {
  server: MailServer
  envelope: MailEnvelope
  /** Opened once, when the server asks for the data. */
  content(): Readable
}

export interface MailEnvelope {
  from: string
  to: readonly string[]
}

/** A mail that a developer's machine would have sent. */
export interface KeptMail {
  /** From 1, in the order of arrival. */
  number: number
  at: string
  envelope: MailEnvelope
  /** The whole mail, as a server would have received it. */
  raw: string
}

/** The response of the server about one recipient, in the order of the envelope. */
export interface RecipientResult {
  address: string
  outcome: 'sent' | 'deferred' | 'failed' | 'unknown'
  code: number | null
  text: string | null
}

export type MailOutcome = MailAttempt['outcome']

export interface MailResult {
  /**
   * `unreachable`: the server said nothing about this mail, and has not got it. `refused_sign_in`: nor has it, because it
   * refused the user or the password. `unknown`: the connection ended after the last byte and before the response, so the
   * server may have the mail or not. Else the best of the recipients.
   */
  outcome: MailOutcome
  /** Of an `unreachable` server: whether it was there, and refused or cut. */
  wasConnected?: boolean
  code: number | null
  /** The sentence of the server, or one of ours about the connection. */
  response: string
  recipients: readonly RecipientResult[]
  host: string
  durationMs: number
}

/** The installation's own way to send mail. */
export interface MailRelay {
  server: MailServer
  /** The address that its mail comes from. */
  from: string
}

/** How this installation sends and receives mail. */
export interface MailSettings {
  /** Undefined: there is none, so only inboxes with a server of their own send. */
  relay: MailRelay | undefined
  /** The domain whose mail this service receives by itself. */
  domain: string | undefined
  /** Where mail for that domain is received over SMTP: what its MX record should name; null: it is not. */
  smtpDoor: { domain: string; host: string } | null
  /** Whether links in mail lead to a configured address, or to a developer's machine. */
  hasLinks: boolean
  /** Where clients reach the service, for links in mail to customers; undefined: such mail has no links. */
  baseUrl: string | undefined
}
