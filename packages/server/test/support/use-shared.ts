import { afterAll, beforeAll } from 'vitest'

/** Makes what all tests of a file use. It is there inside of tests and of their preparations alone. */
export function useShared<T extends object>(make: () => Promise<T>, end: (made: T) => Promise<unknown>): T {
  let made: T | undefined
  beforeAll(async () => {
    made = await make()
  })
  afterAll(async () => {
    if (made !== undefined) await end(made)
  })
  return new Proxy({} as T, {
    get: (_none, name) => {
      const value: unknown = Reflect.get(made ?? {}, name)
      return typeof value === 'function' ? value.bind(made) : value
    },
  })
}
