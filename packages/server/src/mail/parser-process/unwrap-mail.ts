import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { isAddress, readAddresses } from '../parse/mail-addresses.ts'
import { MailRefused } from '../parse/mail-refused.ts'

/** A mail as a provider posted it, out of its JSON or form. */
export interface UnwrappedMail {
  envelope: { from: string | null; to: string[] }
  /** Fields of Mailgun's signature; null: the body has none. */
  signature: { timestamp: string; token: string; signature: string } | null
  mail: Uint8Array
}

type Fields = ReadonlyMap<string, Buffer>

const fieldBytesMax = 40 * 1024 * 1024
const fieldsMax = 200

/**
 * Takes the mail out of the body of a provider: Postmark's JSON, Mailgun's and SendGrid's forms. Throws `MailRefused` for
 * a body without a mail.
 */
export async function unwrapMail(body: Buffer, contentType: string): Promise<UnwrappedMail> {
  const type = contentType.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') return unwrapJson(body)
  const fields =
    type === 'multipart/form-data' ? await readMultipart(body, contentType) : readUrlEncoded(body)
  return unwrapForm(fields)
}

function unwrapJson(body: Buffer): UnwrappedMail {
  const value: unknown = parseJson(body)
  const { RawEmail, OriginalRecipient } = (
    typeof value === 'object' && value !== null ? value : {}
  ) as Record<string, unknown>
  if (typeof RawEmail !== 'string' || RawEmail === '') throw new MailRefused('parse_failed')
  const to = typeof OriginalRecipient === 'string' ? OriginalRecipient : ''
  return { envelope: envelopeOf({ from: '', to: [to] }), signature: null, mail: Buffer.from(RawEmail) }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new MailRefused('parse_failed')
  }
}

function unwrapForm(fields: Fields): UnwrappedMail {
  const mail = fields.get('body-mime') ?? fields.get('email')
  if (mail === undefined || mail.length === 0) throw new MailRefused('parse_failed')
  const text = (name: string) => fields.get(name)?.toString('utf8') ?? ''
  const [timestamp, token, signature] = [text('timestamp'), text('token'), text('signature')]
  return {
    envelope:
      sendGridEnvelope(text('envelope')) ?? envelopeOf({ from: text('sender'), to: [text('recipient')] }),
    signature: signature === '' ? null : { timestamp, token, signature },
    mail,
  }
}

function sendGridEnvelope(text: string): UnwrappedMail['envelope'] | undefined {
  if (text === '') return undefined
  try {
    const { from, to } = JSON.parse(text) as Record<string, unknown>
    const recipients = Array.isArray(to) ? to.filter((each) => typeof each === 'string') : []
    // An empty sender wants no reply (RFC 5321, section 4.5.5); without one nothing is known.
    const envelope = envelopeOf({ from: typeof from === 'string' ? from : '', to: recipients })
    return from === '' ? { ...envelope, from } : envelope
  } catch {
    return undefined
  }
}

function envelopeOf({ from, to }: { from: string; to: string[] }): UnwrappedMail['envelope'] {
  const [sender] = readAddresses([from])
  const recipients = readAddresses(to.slice(0, 100)).map(({ address }) => address)
  return { from: sender?.address ?? null, to: recipients.filter(isAddress) }
}

function readUrlEncoded(body: Buffer): Fields {
  const fields = new Map<string, Buffer>()
  // Percent signs stand for bytes: a mail in another charset than UTF-8 must stay as it is.
  for (const pair of body.toString('latin1').split('&').slice(0, fieldsMax)) {
    const equals = pair.indexOf('=')
    const name = bytesOf(pair.slice(0, equals === -1 ? pair.length : equals)).toString('utf8')
    if (!fields.has(name)) fields.set(name, bytesOf(equals === -1 ? '' : pair.slice(equals + 1)))
  }
  return fields
}

function bytesOf(text: string): Buffer {
  const plain = text
    .replaceAll('+', ' ')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(plain, 'latin1')
}

function readMultipart(body: Buffer, contentType: string): Promise<Fields> {
  const { promise, resolve, reject } = Promise.withResolvers<Fields>()
  const fields = new Map<string, Buffer>()
  const refuse = () => reject(new MailRefused('parse_failed'))
  try {
    const form = new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: fieldBytesMax, fileSize: fieldBytesMax, parts: fieldsMax },
      // Every part is read as a file: the bytes of a field would be decoded as UTF-8.
      isPartAFile: () => true,
    })
    form.on('file', (name: string, stream: BusboyFileStream) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (!fields.has(name)) fields.set(name, Buffer.concat(chunks))
      })
    })
    form.on('finish', () => resolve(fields))
    form.on('error', refuse)
    form.end(body)
  } catch {
    refuse()
  }
  return promise
}
