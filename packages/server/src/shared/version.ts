import { existsSync, readFileSync } from 'node:fs'

const readJson = (url: URL) => JSON.parse(readFileSync(url, 'utf8'))

/** The version of this package. */
export const version: string = readJson(new URL('../../package.json', import.meta.url)).version

/** The commit that this package was made of; null when it runs from the sources, which may have changed since any commit. */
export const commit: string | null = readCommit()

function readCommit(): string | null {
  // Written when the package is packed.
  const file = new URL('../build.json', import.meta.url)
  return existsSync(file) ? readJson(file).commit : null
}
