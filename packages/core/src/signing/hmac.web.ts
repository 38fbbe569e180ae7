/** HMAC-SHA256, 32 bytes. */
export async function hmacSha256(key: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const cryptoKey = await crypto.subtle.importKey('raw', Uint8Array.from(key), algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', cryptoKey, Uint8Array.from(data)))
}

/** Compares in a time that depends on the lengths only. */
export function isEqualConstantTime(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0)
  return difference === 0
}
