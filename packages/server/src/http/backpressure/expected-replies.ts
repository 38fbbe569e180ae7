const kilobyte = 1024
/** Of a tenant whose lists nobody has read yet. */
const unknownBytes = 512 * kilobyte
/** A shorter reply is written at once. */
const leastBytes = 64 * kilobyte
/** The part of an earlier, longer reply that is still expected after a shorter one. */
const kept = 0.5
const tenantsMax = 10_000

interface Owner {
  readonly address: string
  readonly tenantId: string
}

interface Expected extends Owner {
  readonly bytes: number
}

/** An open reply. The expectation stands in the reply itself: a Map of replies would keep those that have ended until the next full garbage collection. */
export interface ExpectedReply {
  expected: Expected | undefined
}

/**
 * The replies that may be made and are not there yet, each with the bytes that a reply to its tenant lately had. Without them
 * every request that arrives while the first one still reads its rows finds that nothing waits, and all of them are made together.
 */
export class ExpectedReplies {
  readonly #byAddress = new Map<string, number>()
  readonly #lately = new Map<string, number>()

  /** The bytes that are expected at an address. */
  bytesOf(address: string): number {
    return this.#byAddress.get(address) ?? 0
  }

  add(reply: ExpectedReply, { address, tenantId }: Owner): void {
    // A stream reads page after page.
    this.#remove(reply)
    const bytes = this.#lately.get(tenantId) ?? unknownBytes
    reply.expected = { address, tenantId, bytes }
    this.#byAddress.set(address, this.bytesOf(address) + bytes)
  }

  /** Call when the reply is there, with its bytes if it is long, or when there will be none. */
  made(reply: ExpectedReply, bytes: number): void {
    const expected = this.#remove(reply)
    if (expected === undefined) return
    const next = Math.max(bytes, leastBytes, expected.bytes * kept)
    if (next === expected.bytes) return
    if (this.#lately.size >= tenantsMax) this.#lately.clear()
    this.#lately.set(expected.tenantId, next)
  }

  #remove(reply: ExpectedReply): Expected | undefined {
    const { expected } = reply
    if (expected === undefined) return undefined
    reply.expected = undefined
    const left = this.bytesOf(expected.address) - expected.bytes
    if (left > 0) this.#byAddress.set(expected.address, left)
    else this.#byAddress.delete(expected.address)
    return expected
  }
}
