/** Takes the lines of a part's body, without their ends, and returns its bytes. */
export interface LineDecoder {
  update(line: Uint8Array): void
  finalize(): Promise<ArrayBuffer>
}

const newline = Buffer.from('\n')

/** A body without an encoding. The parser's own decoder makes a source of a stream of each line, at 10 µs each. */
export class PlainLines implements LineDecoder {
  readonly #lines: Uint8Array[] = []

  update(line: Uint8Array): void {
    this.#lines.push(line, newline)
  }

  finalize(): Promise<ArrayBuffer> {
    return joined(this.#lines)
  }
}

const chunkLength = 100 * 1024

/** A body in base64. Some programs pad every line, so padding ends a unit and not the text. */
export class Base64Lines implements LineDecoder {
  readonly #chunks: Uint8Array[] = []
  #rest = ''

  update(line: Uint8Array): void {
    const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString('latin1')
    const [first = '', ...units] = text.replace(/[^a-zA-Z0-9+/=]+/g, '').split(/=+/)
    this.#rest += first
    for (const unit of units) {
      this.#flush(this.#rest.length)
      this.#rest = unit
    }
    if (this.#rest.length >= chunkLength) this.#flush(this.#rest.length - (this.#rest.length % 4))
  }

  finalize(): Promise<ArrayBuffer> {
    this.#flush(this.#rest.length)
    return joined(this.#chunks)
  }

  #flush(length: number): void {
    if (length > 0) this.#chunks.push(Buffer.from(this.#rest.slice(0, length), 'base64'))
    this.#rest = this.#rest.slice(length)
  }
}

async function joined(chunks: readonly Uint8Array[]): Promise<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole.buffer
}
