/** A message of Amazon SNS. Its fields: https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html */
export interface SnsMessage {
  type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation'
  messageId: string
  topicArn: string
  message: string
  timestamp: string
  /** Of a confirmation; else empty. */
  token: string
  /** `1`: SHA-1, `2`: SHA-256. */
  signatureVersion: string
  /** In base64. */
  signature: string
  signingCertUrl: string
  /** The text that is signed. */
  signedText: string
}

/**
 * The signed fields of each type, in their order:
 * https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message-verify-message-signature.html
 */
const confirmation = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
const signedFields: Readonly<Record<SnsMessage['type'], readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: confirmation,
  UnsubscribeConfirmation: confirmation,
}

/** Returns the message of a topic that a body is; undefined for any other body. Nothing of it is proven before its signature. */
export function readSnsMessage(body: unknown): SnsMessage | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const fields = body as Readonly<Record<string, unknown>>
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '')
  const type = text('Type') as SnsMessage['type']
  if (!Object.hasOwn(signedFields, type) || text('TopicArn') === '') return undefined
  // A notification without a subject is signed without one.
  const signed = signedFields[type].filter((name) => typeof fields[name] === 'string')
  return {
    type,
    messageId: text('MessageId'),
    topicArn: text('TopicArn'),
    message: text('Message'),
    timestamp: text('Timestamp'),
    token: text('Token'),
    signatureVersion: text('SignatureVersion'),
    signature: text('Signature'),
    signingCertUrl: text('SigningCertURL'),
    signedText: signed.map((name) => `${name}\n${text(name)}\n`).join(''),
  }
}
