import { picturesOf, replacePictures } from './inline-pictures.ts'
import type { Reading } from './reading.ts'
import { textOf } from './values.ts'

interface Pictured {
  readonly html: string
  /** The files that are stored already, with their addresses. */
  readonly stored: readonly { readonly id: string; readonly address: string }[]
  /** Gets the ids of further pictures. */
  readonly attachmentIds: string[]
  /** Whether a host beside that of the account belongs to the product. */
  readonly isOwn: (host: string) => boolean
  /** The id of the message. */
  readonly id: string
}

const attachmentsMax = 100

/** Pictures on the hosts of the product are stored, and the text names them by their ids; others stay where they are. */
export async function withOwnPictures(reading: Reading, pictured: Pictured): Promise<string> {
  const { html, stored, attachmentIds, isOwn } = pictured
  if (picturesOf(html).length === 0) return html
  const { base } = reading.client.options
  const byAddress = new Map(stored.flatMap(({ id, address }) => [[keyOf(address, base) ?? '', id] as const]))
  return replacePictures(html, async (address) => {
    const key = keyOf(address, base)
    if (key === undefined) return undefined
    const known = byAddress.get(key)
    if (known !== undefined) return `cid:${known}`
    const { host, hostname } = new URL(key)
    if ((host !== base.host && !isOwn(hostname)) || attachmentIds.length >= attachmentsMax) return undefined
    const id = `${pictured.id}-picture-${byAddress.size + 1}`
    byAddress.set(key, id)
    attachmentIds.push(await reading.attach({ id, filename: nameOf(key), address: key, isInline: true }))
    return `cid:${id}`
  })
}

function keyOf(address: string, base: URL): string | undefined {
  const url = URL.parse(address, base.href)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}

/** The name of a file by its address. */
export function nameOf(address: string): string {
  const url = new URL(address)
  return textOf(url.searchParams.get('name')) ?? textOf(url.pathname.split('/').at(-1)) ?? 'file'
}
