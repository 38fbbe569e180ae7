/* Messages between the service and its parser of mails: a length, a type, and the bytes. */

/** `bytes` carries a part of a mail or a file; all others carry JSON. */
export const frameTypes = {
  bytes: 1,
  parse: 2,
  unwrap: 3,
  file: 4,
  result: 5,
  end: 6,
  refused: 7,
} as const
export type FrameType = keyof typeof frameTypes

export interface Frame {
  type: FrameType
  bytes: Buffer
}

const headLength = 5
const names = new Map<number, FrameType>(
  Object.entries(frameTypes).map(([name, code]) => [code, name as FrameType]),
)

/** The most bytes of one frame, so that no side works on another one's bytes for long. */
const frameBytesMax = 64 * 1024

/** Returns the head of a frame. Its bytes follow it. */
export function frameHead(type: FrameType, length: number): Buffer {
  const head = Buffer.allocUnsafe(headLength)
  head.writeUInt32BE(length, 0)
  head.writeUInt8(frameTypes[type], 4)
  return head
}

/** Returns a whole frame with JSON. */
export function jsonFrame(type: FrameType, value: unknown): Buffer {
  const bytes = Buffer.from(JSON.stringify(value))
  return Buffer.concat([frameHead(type, bytes.length), bytes])
}

/** Reads the frames of a stream, whose ends say nothing about the ends of its chunks. */
export async function* readFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  let pending: Buffer[] = []
  let length = 0
  let wanted = headLength
  let type: FrameType | undefined
  for await (const chunk of chunks) {
    pending.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))
    length += chunk.length
    while (length >= wanted) {
      const whole = pending.length === 1 && pending[0] ? pending[0] : Buffer.concat(pending)
      const bytes = whole.subarray(0, wanted)
      pending = [whole.subarray(wanted)]
      length -= wanted
      if (type === undefined) {
        type = names.get(bytes.readUInt8(4)) ?? 'end'
        wanted = bytes.readUInt32BE(0)
      } else {
        yield { type, bytes }
        type = undefined
        wanted = headLength
      }
    }
  }
}

/** Splits bytes into pieces of a frame. */
export function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += frameBytesMax) yield bytes.subarray(at, at + frameBytesMax)
}
