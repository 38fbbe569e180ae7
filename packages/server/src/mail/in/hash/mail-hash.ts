import { createHash } from 'node:crypto'

export interface MailHashes {
  /** SHA-256 of all bytes, in hex. */
  hash: string
  /** SHA-256 of the body, in hex: ends of lines as LF, without newlines at its end, because doors differ in them. */
  bodyHash: string
}

/** Hashes the bytes of a mail, in steps. `bodyStart`: where its body begins. */
export class MailHash {
  readonly #all = createHash('sha256')
  readonly #body = createHash('sha256')
  /** Bytes of the headers that are still to come. */
  #headLeft: number
  #held = ''
  #newlines = 0

  constructor(bodyStart: number) {
    this.#headLeft = bodyStart
  }

  add(step: Uint8Array): void {
    this.#all.update(step)
    const inHead = Math.min(this.#headLeft, step.length)
    this.#headLeft -= inHead
    this.#addBody(Buffer.from(step.buffer, step.byteOffset + inHead, step.length - inHead))
  }

  #addBody(bytes: Buffer): void {
    const text = this.#held + bytes.toString('latin1')
    // The step may end between the two characters of an end of a line.
    this.#held = text.endsWith('\r') ? '\r' : ''
    const lines = text.slice(0, text.length - this.#held.length).replaceAll('\r\n', '\n')
    let end = lines.length
    while (end > 0 && lines.charAt(end - 1) === '\n') end -= 1
    if (end > 0) {
      this.#body.update('\n'.repeat(this.#newlines) + lines.slice(0, end), 'latin1')
      this.#newlines = 0
    }
    this.#newlines += lines.length - end
  }

  end(): MailHashes {
    return { hash: this.#all.digest('hex'), bodyHash: this.#body.digest('hex') }
  }
}
