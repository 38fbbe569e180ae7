import { readFileSync } from 'node:fs'

/** The version of this package. */
export const version: string = readVersion()

function readVersion(): string {
  const file: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  return file.version
}
