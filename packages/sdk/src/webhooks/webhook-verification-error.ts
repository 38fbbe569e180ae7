/**
 * - `missing_header`: a required header is missing
 * - `bad_format`: a header, the secret or the verified body has the wrong form
 * - `too_old`, `too_new`: the signature is valid, but its time is outside the tolerance
 * - `mismatch`: no signature belongs to this body and these secrets
 * - `body_already_parsed`: the raw bytes are not available, because something read or parsed the body before
 * - `too_large`: the body is longer than `bodyBytesMax`; the rest of it was not read
 */
export type WebhookVerificationCode =
  | 'missing_header'
  | 'bad_format'
  | 'too_old'
  | 'too_new'
  | 'mismatch'
  | 'body_already_parsed'
  | 'too_large'

/** The delivery must not be trusted. The message names the likely cause, and never a secret. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code: WebhookVerificationCode

  constructor(code: WebhookVerificationCode, message: string) {
    super(message)
    this.code = code
  }
}
