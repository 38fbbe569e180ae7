import { crc32, deflateSync, inflateSync } from 'node:zlib'

/* Screenshots of a page have few colours: with a palette they are a third as long. */

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
const coloursMax = 256

interface Image {
  readonly width: number
  readonly height: number
  /** Three bytes for each pixel. */
  readonly pixels: Uint8Array
}

/** Returns the PNG (8 bits, RGB or RGBA, not interlaced, as chromium makes it) with a palette of its most frequent colours. */
export function compressPng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png)
  const palette = paletteOf(pixels)
  const nearest = new Map(palette.map((colour, index) => [colour, index]))
  const rows = Buffer.alloc((width + 1) * height)
  for (let index = 0; index < width * height; index++) {
    const colour = colourAt(pixels, index)
    let found = nearest.get(colour)
    if (found === undefined) {
      found = nearestOf(palette, colour)
      nearest.set(colour, found)
    }
    // The first byte of a row is its filter: none, which is best for a palette.
    rows[index + Math.floor(index / width) + 1] = found
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function decode(png: Buffer): Image {
  const parts: Buffer[] = []
  for (let at = signature.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length))
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const [bits, kind, interlace] = [png[24], png[25], png[28]]
  if (bits !== 8 || (kind !== 2 && kind !== 6) || interlace !== 0) throw new Error('not a PNG of chromium')
  const size = kind === 6 ? 4 : 3
  const raw = unfiltered(inflateSync(Buffer.concat(parts)), { stride: width * size, size })
  const pixels = new Uint8Array(width * height * 3)
  for (let index = 0; index < width * height; index++)
    pixels.set(raw.subarray(index * size, index * size + 3), index * 3)
  return { width, height, pixels }
}

/** Takes back the filters of the rows. Source: PNG specification, "Filtering". */
function unfiltered(data: Buffer, { stride, size }: { stride: number; size: number }): Uint8Array {
  const rows = data.length / (stride + 1)
  const out = new Uint8Array(rows * stride)
  for (let row = 0; row < rows; row++) {
    const filter = data[row * (stride + 1)] ?? 0
    for (let column = 0; column < stride; column++) {
      const at = row * stride + column
      const left = column >= size ? (out[at - size] ?? 0) : 0
      const up = row > 0 ? (out[at - stride] ?? 0) : 0
      const corner = row > 0 && column >= size ? (out[at - stride - size] ?? 0) : 0
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0
      out[at] = (data[at + row + 1] ?? 0) + predicted
    }
  }
  return out
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}

function colourAt(pixels: Uint8Array, index: number): number {
  const at = index * 3
  return ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0)
}

function paletteOf(pixels: Uint8Array): number[] {
  const counts = new Map<number, number>()
  for (let index = 0; index < pixels.length / 3; index++) {
    const colour = colourAt(pixels, index)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const frequent = [...counts].sort(([, a], [, b]) => b - a)
  return frequent.slice(0, coloursMax).map(([colour]) => colour)
}

function nearestOf(palette: readonly number[], colour: number): number {
  let [best, bestDistance] = [0, Number.POSITIVE_INFINITY]
  for (const [index, other] of palette.entries()) {
    const distance = [16, 8, 0].reduce((sum, shift) => {
      return sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2
    }, 0)
    if (distance < bestDistance) [best, bestDistance] = [index, distance]
  }
  return best
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const out = Buffer.alloc(data.length + 12)
  out.writeUInt32BE(data.length, 0)
  out.set(body, 4)
  out.writeUInt32BE(crc32(body), data.length + 8)
  return out
}
