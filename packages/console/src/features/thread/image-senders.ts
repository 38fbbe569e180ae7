import { type Signal, signal } from '@preact/signals'

/** A sender of an inbox, for one person at this browser. */
export interface ImageSender {
  readonly userId: string
  readonly inboxId: string
  readonly address: string
}

const key = 'crm-console-images'
/** The oldest choices end, so that they never take the place of drafts. */
const sendersMax = 1_000

function stored(): readonly string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** The senders whose images are shown, as digests: the addresses of customers stay in no browser after a sign-out or an erasure. */
export const imageSenders: Signal<readonly string[]> = signal(stored())

/** Undefined where the browser makes no digests: a page over plain HTTP. */
export async function digestOf({ userId, inboxId, address }: ImageSender): Promise<string | undefined> {
  const { subtle } = globalThis.crypto
  if (subtle === undefined) return undefined
  const text = JSON.stringify([userId, inboxId, address.toLowerCase()])
  const bytes = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function rememberSender(digest: string, isShown: boolean): void {
  // Another tab may have changed them.
  const others = stored().filter((one) => one !== digest)
  imageSenders.value = isShown ? [...others, digest].slice(-sendersMax) : others
  try {
    localStorage.setItem(key, JSON.stringify(imageSenders.value))
  } catch {
    // Without storage this tab alone knows it.
  }
}

if (typeof window !== 'undefined')
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) imageSenders.value = stored()
  })
