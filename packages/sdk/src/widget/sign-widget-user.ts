/** The person who is signed in on your page. */
export interface WidgetUser {
  /** Your own id of the person, 1 to 128 characters. The same id always opens the same conversations. */
  userId: string
  /** An e-mail that you have verified: at the first sign-in it links the person to the one customer that has it. */
  email?: string | undefined
  /** Shown to your agents. */
  name?: string | undefined
  /** How long the page may open a session with the token: 1 to 3,600 seconds, 600 by default. */
  expiresInSeconds?: number | undefined
}

const userIdMax = 128
const expiresInSecondsDefault = 600
const expiresInSecondsMax = 3_600

/**
 * Makes the token that identifies your user in the chat widget: `CRMWidget('identify', { userToken })`. Call it on your
 * server, for the user of the running session alone; the secret must never be in a page. `secret` is the whole text
 * `wis_…` of `crm inboxes widget-secret`. Runs on Node and in edge runtimes.
 *
 * @throws TypeError when an argument is none that the service would accept.
 */
export async function signWidgetUser(
  secret: string,
  { userId, email, name, expiresInSeconds = expiresInSecondsDefault }: WidgetUser,
): Promise<string> {
  if (typeof secret !== 'string' || !secret.startsWith('wis_'))
    throw new TypeError('secret: must start with wis_')
  if (typeof userId !== 'string' || userId === '' || userId.length > userIdMax)
    throw new TypeError(`userId: must be a string of 1 to ${userIdMax} characters`)
  if (!Number.isInteger(expiresInSeconds) || expiresInSeconds < 1 || expiresInSeconds > expiresInSecondsMax)
    throw new TypeError(`expiresInSeconds: must be a whole number from 1 to ${expiresInSecondsMax}`)
  const iat = Math.floor(Date.now() / 1_000)
  const claims = {
    sub: userId,
    iat,
    exp: iat + expiresInSeconds,
    email: email || undefined,
    name: name || undefined,
  }
  const encoder = new TextEncoder()
  const base64url = (bytes: Uint8Array) =>
    btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '')
  const encode = (part: object) => base64url(encoder.encode(JSON.stringify(part)))
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, encoder.encode(signed))
  return `${signed}.${base64url(new Uint8Array(signature))}`
}
