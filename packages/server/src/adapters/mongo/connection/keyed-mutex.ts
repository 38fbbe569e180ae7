/**
 * Lets works that share a key run one after the other in this process, so that they never abort each other's
 * transactions. Works of different keys run at the same time.
 */
export function createKeyedMutex() {
  const last = new Map<string, Promise<unknown>>()
  return async function exclusively<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    // All keys are queued for in this same tick, so two works never wait for each other.
    const before = keys.map((key) => last.get(key))
    const run = Promise.allSettled(before).then(work)
    for (const key of keys) last.set(key, run)
    try {
      return await run
    } finally {
      for (const key of keys) if (last.get(key) === run) last.delete(key)
    }
  }
}
