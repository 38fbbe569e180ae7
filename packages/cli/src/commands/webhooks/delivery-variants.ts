/** A text before a possible change; the unchanged text comes first. */
export interface Variant<T> {
  readonly value: T
  /** The change, as the end of a sentence. */
  readonly change?: string
  readonly advice?: string
}

const readRawBody = 'Verify the received bytes, before a body parser (express.raw, request.text()).'

/** Undoes each change that frameworks, proxies, editors and gateways make to a body. */
export function bodyVariants(body: Uint8Array): Variant<Uint8Array>[] {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  const changed: readonly [text: string | undefined, change: string, advice: string][] = [
    [
      // bounded: a file of the person's own, once.
      text.replace(/(\r?\n)+$/, ''),
      'a newline was added at the end',
      'Save the body without it: use printf, not echo.',
    ],
    [
      text.replace(/^\ufeff/, ''),
      'a byte order mark was added at the start',
      'Save the body as UTF-8 without it.',
    ],
    [text.replaceAll('\r\n', '\n'), 'its line ends were changed', 'Transfer the body as binary.'],
    [text.trim(), 'blanks were added around it', 'Use the body as received.'],
    [serialised(text), 'it was parsed and written again (blanks, escapes)', readRawBody],
    [
      base64Text(text),
      'it is base64',
      'API gateways encode bodies: decode the body first (isBase64Encoded).',
    ],
    [quotedText(text), 'it is a JSON text inside a JSON text', readRawBody],
    [formText(text), 'it is URL-encoded', 'Use the raw body, not a form field.'],
    [latinText(body, text), 'its UTF-8 was read as Latin-1', 'Read the body as bytes or as UTF-8.'],
  ]
  const encoder = new TextEncoder()
  const variants = changed.flatMap(([value, change, advice]): Variant<Uint8Array>[] =>
    value === undefined || value === text ? [] : [{ value: encoder.encode(value), change, advice }],
  )
  return [{ value: body }, ...variants]
}

/** Undoes each change that copying makes to a secret. */
export function secretVariants(secret: string): Variant<string>[] {
  const bare = secret.trim().replace(/^(['"])(.*)\1$/, '$2')
  const advice = 'Use the secret exactly as shown, whsec_ included.'
  const changed: readonly [text: string, change: string][] = [
    [secret.trim(), 'it has blanks or a line end around it'],
    [bare, 'it is in quotes'],
    [`whsec_${bare}`, 'it has lost its prefix whsec_'],
    [bare.replace(/^(whsec_)+/, 'whsec_'), 'its prefix is there twice'],
    [
      bare
        .replaceAll('-', '+')
        .replaceAll('_', '/')
        .replace(/^whsec\//, 'whsec_'),
      'it was changed to base64url',
    ],
    [bare.replaceAll(' ', '+'), 'a + in it became a blank'],
    [decodedText(bare), 'it is URL-encoded'],
  ]
  const variants = changed.flatMap(([value, change]) => (value === secret ? [] : [{ value, change, advice }]))
  return [{ value: secret }, ...variants]
}

function serialised(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined
  }
}

function base64Text(text: string): string | undefined {
  const trimmed = text.trim()
  if (!/^[\w+/-]+=*$/.test(trimmed)) return undefined
  return Buffer.from(trimmed, 'base64').toString('utf8')
}

function quotedText(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function formText(text: string): string | undefined {
  const decoded = decodedText(text.replaceAll('+', ' '))
  return decoded.startsWith('{') ? decoded : decoded.replace(/^\w+=/, '').replace(/=$/, '')
}

function latinText(body: Uint8Array, text: string): string | undefined {
  // Invalid UTF-8 is Latin-1; valid UTF-8 may have been encoded twice.
  const isUtf8 = !text.includes('\ufffd')
  const [from, to] = isUtf8 ? (['latin1', 'utf8'] as const) : (['utf8', 'latin1'] as const)
  return isUtf8 ? Buffer.from(text, from).toString(to) : Buffer.from(body).toString(to)
}

function decodedText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
