import type { MailRefused } from '../parse/mail-refused.ts'

/* Messages between the service and its parser of mails: a length, a type, and the bytes. */

/** `bytes` carries a part of a mail or a file, of one byte at least; all others carry JSON. */
export const frameTypes = {
  bytes: 1,
  parse: 2,
  unwrap: 3,
  file: 4,
  result: 5,
  end: 6,
  refused: 7,
  quotations: 8,
} as const
export type FrameType = keyof typeof frameTypes

/** The content of `refused`. `unreadable`: the file of the mail; `unwritable`: one for its own file. Neither says anything about the mail. */
export interface Refusal {
  reason: MailRefused['reason'] | 'unreadable' | 'unwritable'
  /** The code of the system, where it refuses a file. */
  name: string
}

/** The content of `file`: bytes come back, or the process writes a new file at the path, of its folder. */
export interface FileRequest {
  index: number
  to: string | null
}

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

/**
 * Reads the frames of a stream, whose ends say nothing about the ends of its chunks. Bytes of mails and files come in the
 * parts in which they arrive: to join them would copy every large mail once more.
 */
export async function* readFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const reader = new FrameReader()
  for await (const { buffer, byteOffset, length } of chunks) {
    yield* reader.read(Buffer.from(buffer, byteOffset, length))
  }
}

class FrameReader {
  #type: FrameType | undefined
  #wanted = headLength
  #length = 0
  #pending: Buffer[] = []

  /** Returns the frame that has ended; undefined for a head, and for bytes that were returned before. */
  #end(): Frame | undefined {
    const bytes = Buffer.concat(this.#pending)
    const type = this.#type
    this.#pending = []
    this.#length = 0
    this.#type = undefined
    this.#wanted = headLength
    if (type !== undefined) return type === 'bytes' ? undefined : { type, bytes }
    this.#type = names.get(bytes.readUInt8(4)) ?? 'end'
    this.#wanted = bytes.readUInt32BE(0)
    return undefined
  }

  *read(chunk: Buffer): Generator<Frame> {
    for (let rest = chunk; rest.length > 0; ) {
      const part = rest.subarray(0, this.#wanted - this.#length)
      rest = rest.subarray(part.length)
      this.#length += part.length
      if (this.#type === 'bytes') yield { type: 'bytes', bytes: part }
      else this.#pending.push(part)
      const ended = this.#length === this.#wanted ? this.#end() : undefined
      if (ended !== undefined) yield ended
    }
  }
}

/** Splits bytes into pieces of a frame. */
export function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += frameBytesMax) yield bytes.subarray(at, at + frameBytesMax)
}
