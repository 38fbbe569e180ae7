import { type Signal, signal } from '@preact/signals'
import { problemOf } from '../../api/problem.ts'
import type { Store } from '../../store/store.ts'
import { t } from '../../strings/strings.ts'
import { showToast } from '../../ui/toasts.tsx'

type Reader = Pick<Store, 'crm' | 'me'>

interface Known {
  readonly userId: string
  readonly imageSenders: readonly string[]
}

const known = new WeakMap<Reader['crm'], Signal<readonly string[]>>()
/** The other tabs of this browser, which show the same mails. */
const tabs = typeof window === 'undefined' ? undefined : new BroadcastChannel('crm-console-images')

/** Returns the senders whose images the person always sees, as digests: the service stores no address either. Empty until they are read. */
export function imageSendersOf({ crm, me }: Reader): Signal<readonly string[]> {
  const found = known.get(crm)
  if (found !== undefined) return found
  const senders = signal<readonly string[]>([])
  known.set(crm, senders)
  tabs?.addEventListener('message', ({ data }: MessageEvent<Known>) => {
    if (data.userId === me._id) senders.value = data.imageSenders
  })
  crm.users.me().then(
    ({ imageSenders }) => {
      senders.value = imageSenders
    },
    // The next mail asks again; this one offers its images by hand.
    () => known.delete(crm),
  )
  return senders
}

/** Undefined where the browser makes no digests: a page over plain HTTP. */
export async function digestOf(
  { me }: Pick<Reader, 'me'>,
  { inboxId, address }: { readonly inboxId: string; readonly address: string },
): Promise<string | undefined> {
  const { subtle } = globalThis.crypto
  if (subtle === undefined) return undefined
  const text = JSON.stringify([me._id, inboxId, address.toLowerCase()])
  const bytes = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export async function rememberSender(reader: Reader, digest: string, isShown: boolean): Promise<void> {
  try {
    const { imageSenders } = await reader.crm.users.updateMe({ imageSender: { digest, isShown } })
    imageSendersOf(reader).value = imageSenders
    tabs?.postMessage({ userId: reader.me._id, imageSenders } satisfies Known)
  } catch (error) {
    showToast(t.actions.failed, { reason: problemOf(error) })
  }
}
