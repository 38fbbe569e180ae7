import { createHmac, hash, hkdfSync } from 'node:crypto'
import type { AddressDigests } from '../ports/erasure-ledger.ts'

/** Each digest names its key: a ring with more keys reads what the earlier ones have written. */
export function createAddressDigests(secretsKeys: readonly string[]): AddressDigests {
  const ring = secretsKeys.map((secret) => {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'crmkit addresses of erased people', 32))
    return { id: hash('sha256', key).slice(0, 8), key }
  })
  const ids = new Set(ring.map(({ id }) => id))
  const digestsOf: AddressDigests['digestsOf'] = ({ tenantId, address }) =>
    ring.map(({ id, key }) => {
      const hmac = createHmac('sha256', key).update(JSON.stringify([tenantId, address]))
      return `${id}.${hmac.digest('base64url')}`
    })
  return {
    digestsOf,
    digestOf(of) {
      const [digest] = digestsOf(of)
      if (digest === undefined) throw new TypeError('Digests of addresses need a key')
      return digest
    },
    isKnown: (digest) => ids.has(digest.split('.')[0] ?? ''),
  }
}
