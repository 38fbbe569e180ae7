import { createHash, createPublicKey, verify } from 'node:crypto'

/**
 * Returns the tags of the DKIM signature of a mail when it is right (RFC 6376, relaxed canonicalisation), by the public
 * key in base64 of its DER form; undefined otherwise. Written for the tests: the code that signs is not asked.
 */
export function verifiedDkim(raw: string, publicKey: string): Record<string, string> | undefined {
  const end = raw.indexOf('\r\n\r\n')
  const fields = raw.slice(0, end).split(/\r\n(?![ \t])/)
  const [signature] = fieldsNamed(fields, 'dkim-signature')
  if (signature === undefined) return undefined
  const tags = tagsOf(signature)
  const bodyHash = createHash('sha256')
    .update(relaxedBody(raw.slice(end + 4)))
    .digest('base64')
  if (bodyHash !== tags['bh'] || tags['a'] !== 'rsa-sha256') return undefined
  const waiting = new Map<string, string[]>()
  const signed = (tags['h'] ?? '').split(':').flatMap((name) => {
    const key = name.trim().toLowerCase()
    const left = waiting.get(key) ?? fieldsNamed(fields, key)
    waiting.set(key, left)
    const field = left.pop()
    return field === undefined ? [] : [`${relaxedField(field)}\r\n`]
  })
  const unsigned = relaxedField(signature).replace(/(;\s*b=)[^;]*/, '$1')
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
  const bytes = Buffer.from(signed.join('') + unsigned)
  return verify('sha256', bytes, key, Buffer.from(tags['b'] ?? '', 'base64')) ? tags : undefined
}

function fieldsNamed(fields: readonly string[], name: string): string[] {
  return fields.filter((field) => field.slice(0, field.indexOf(':')).toLowerCase() === name)
}

function tagsOf(field: string): Record<string, string> {
  const parts = field.slice(field.indexOf(':') + 1).split(';')
  return Object.fromEntries(
    parts.map((part) => {
      const [name = '', ...value] = part.split('=')
      return [name.trim(), value.join('=').replaceAll(/\s/g, '')]
    }),
  )
}

function relaxedField(field: string): string {
  const colon = field.indexOf(':')
  const value = field
    .slice(colon + 1)
    .replaceAll(/\r\n/g, '')
    .replaceAll(/[ \t]+/g, ' ')
    .trim()
  return `${field.slice(0, colon).trim().toLowerCase()}:${value}`
}

function relaxedBody(body: string): string {
  const lines = body.split('\r\n').map((line) => line.replaceAll(/[ \t]+/g, ' ').replace(/ $/, ''))
  while (lines.at(-1) === '') lines.pop()
  return lines.length === 0 ? '' : `${lines.join('\r\n')}\r\n`
}
