/** The largest archive and number of files that this form can name, without its extension for large ones. */
export const zipBytesMax = 0xffff_ffff
export const zipEntriesMax = 0xffff

/** Names are UTF-8. */
const utf8Names = 0x0800
/** The first day that the form can name: no time of a file is known. */
const firstDay = 0x21

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1
  return crc
})

function crcOf(bytes: Uint8Array): number {
  let crc = 0xffff_ffff
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8)
  return ~crc >>> 0
}

/** Writes numbers of two or four bytes, the smallest part first. */
function fields(...values: readonly (readonly [bytes: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(values.reduce((sum, [bytes]) => sum + bytes, 0)))
  let at = 0
  for (const [bytes, value] of values) {
    if (bytes === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += bytes
  }
  return new Uint8Array(view.buffer)
}

/**
 * An archive of files that are not compressed, after PKWARE's "APPNOTE.TXT", sections 4.3.7, 4.3.12 and 4.3.16. The browser holds the bytes
 * as blobs, which it keeps on the disk when they are many.
 */
export class Zip {
  readonly #pieces: BlobPart[] = []
  readonly #directory: BlobPart[] = []
  #entries = 0
  #size = 0
  #directorySize = 0

  async add(name: string, content: Blob): Promise<void> {
    const named = new TextEncoder().encode(name)
    const crc = crcOf(new Uint8Array(await content.arrayBuffer()))
    const shared = [
      ...([
        [2, utf8Names],
        [2, 0],
        [2, 0],
        [2, firstDay],
        [4, crc],
      ] as const),
      ...([
        [4, content.size],
        [4, content.size],
        [2, named.length],
        [2, 0],
      ] as const),
    ] as const
    const head = fields([4, 0x0403_4b50], [2, 20], ...shared)
    const entry = fields(
      [4, 0x0201_4b50],
      [2, 20],
      [2, 20],
      ...shared,
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, this.#size],
    )
    this.#pieces.push(head, named, content)
    this.#directory.push(entry, named)
    this.#entries += 1
    this.#size += head.length + named.length + content.size
    this.#directorySize += entry.length + named.length
  }

  end(): Blob {
    const [count, size, start] = [this.#entries, this.#directorySize, this.#size]
    const end = fields(
      [4, 0x0605_4b50],
      [2, 0],
      [2, 0],
      [2, count],
      [2, count],
      [4, size],
      [4, start],
      [2, 0],
    )
    return new Blob([...this.#pieces, ...this.#directory, end], { type: 'application/zip' })
  }
}
