import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/**
 * Returns a function that loads a package at its first call. For large packages that a process may never need: those
 * of mail and of phone numbers were a quarter of the memory of an idle server. A caller need not wait for the package,
 * as it would for `import()`.
 */
export function atFirstUse<Package>(name: string): () => Package {
  let loaded: Package | undefined
  return () => {
    loaded ??= load(name) as Package
    return loaded
  }
}
