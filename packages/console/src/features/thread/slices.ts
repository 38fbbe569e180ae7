import type { Message } from '@crmkit/sdk'

/** Messages that follow each other and are drawn together. */
export interface Slice {
  /** Id of its first message. */
  readonly id: string
  /** Oldest first. The same array as long as none of them has changed. */
  readonly messages: readonly Message[]
}

/** As many as a page of the service. */
const sliceLength = 50

/**
 * Divides a thread into slices. Each slice that was there before begins with the same message as before, so a page of older
 * messages, a new message or a changed one leaves all other slices as they are.
 */
export function slicesOf(messages: readonly Message[], before: readonly Slice[]): readonly Slice[] {
  const known = new Map(before.map((slice) => [slice.id, slice]))
  return startsOf(messages, known).map((start, index, starts) => {
    const own = messages.slice(start, starts[index + 1])
    const id = own[0]?._id ?? ''
    const same = known.get(id)
    return same && isSame(same.messages, own) ? same : { id, messages: own }
  })
}

/** The indexes at which slices begin. */
function startsOf(messages: readonly Message[], known: ReadonlyMap<string, Slice>): number[] {
  const kept = messages.flatMap(({ _id }, index) => (known.has(_id) ? [index] : []))
  const starts: number[] = []
  let start = kept[0] ?? 0
  // Older messages are divided from their end, so that only the first slice grows with the next page.
  for (let end = start - sliceLength; end > 0; end -= sliceLength) starts.unshift(end)
  if (start > 0) starts.unshift(0)
  for (const next of [...kept.slice(1), messages.length]) {
    for (; start < next; start += sliceLength) starts.push(start)
    start = next
  }
  return starts
}

function isSame(before: readonly Message[], now: readonly Message[]): boolean {
  return before.length === now.length && before.every((message, index) => message === now[index])
}
