import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { SecretBox, SecretContext } from '../ports/secret-box.ts'

const version = 'v1'
const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

interface RingKey {
  id: string
  /** A `KeyObject`: plain bytes would cost four times as much at every use. */
  key: KeyObject
}

/** Seals with the first key of the ring and opens with every key: to rotate keys, put the new one first. */
export function createSecretBox(secretsKeys: readonly string[]): SecretBox {
  const ring = secretsKeys.map(ringKey)
  const [current] = ring
  if (current === undefined) throw new TypeError('A secret box needs at least one key')
  const byId = new Map(ring.map((entry) => [entry.id, entry.key]))
  return {
    keyIds: ring.map(({ id }) => id),
    seal: (plain, context) => {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, current.key, iv, { authTagLength: tagBytes }).setAAD(
        boundTo(context),
      )
      const sealed = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${version}.${current.id}.${sealed.toString('base64url')}`
    },
    open: (sealed, context) => {
      const [given, id = '', text = ''] = sealed.split('.')
      const key = byId.get(id)
      if (given !== version || key === undefined)
        throw new Error('The secret was sealed with a key that is not in the ring')
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(boundTo(context)).setAuthTag(bytes.subarray(-tagBytes))
      return decipher.update(bytes.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

/** Returns the id of the key that sealed a text; undefined for any other text. */
export function keyIdOf(sealed: unknown): string | undefined {
  return typeof sealed === 'string' ? /^v1\.([0-9a-f]{8})\./.exec(sealed)?.[1] : undefined
}

function ringKey(secret: string): RingKey {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'crmkit secrets at rest', 32))
  // Identifies the key without revealing anything about it.
  return { id: hash('sha256', key).slice(0, 8), key: createSecretKey(key) }
}

/** Returns the data that binds a sealed text to its record: it cannot be opened in any other one. */
function boundTo({ tenantId, id }: SecretContext): Buffer {
  return Buffer.from(JSON.stringify([tenantId, id]))
}
