/** At most so many files are open. */
export const sendsAtOnce = 4
/** A request asks for so many paths: its line stays below 4 KB. */
export const askedAtOnce = 50

/**
 * Sends each item, some at once. It takes an item when a place is free, so that a list of any length is never held. Once
 * one fails no further one begins.
 */
export async function sendEach<T>(
  items: AsyncIterable<T> | Iterable<T>,
  send: (item: T) => Promise<void>,
): Promise<void> {
  const next = oneByOne(items)
  await Promise.all(
    Array.from({ length: sendsAtOnce }, async () => {
      // The first place that ends, or fails, ends the list for the others.
      for await (const item of next) await send(item)
    }),
  )
}

async function* oneByOne<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* items
}

/** Returns the paths that `find` does not name, asked in parts. */
export async function* without(
  paths: AsyncIterable<string>,
  find: (paths: readonly string[]) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  let part: string[] = []
  const waiting = async () => {
    const here = new Set(await find(part))
    return part.filter((path) => !here.has(path))
  }
  for await (const path of paths) {
    part.push(path)
    if (part.length < askedAtOnce) continue
    yield* await waiting()
    part = []
  }
  if (part.length > 0) yield* await waiting()
}
