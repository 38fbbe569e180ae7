/** A mail that cannot be read: it is parked with this reason. */
export class MailRefused extends Error {
  readonly reason: 'too_complex' | 'parse_failed' | 'parse_timeout'

  constructor(reason: MailRefused['reason']) {
    super(`The mail cannot be read: ${reason}`)
    this.reason = reason
  }
}
