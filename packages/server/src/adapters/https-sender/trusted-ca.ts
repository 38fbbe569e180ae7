import { readFileSync, statSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

/** TLS settings for connections; created once and shared, because reading the root certificates takes milliseconds. */
export interface TrustedCa {
  /** For public destinations: the usual root certificates. */
  readonly usual: SecureContext
  /** For privately allowed destinations: also the CA files in their current state. */
  extended(): SecureContext
}

const minVersion = 'TLSv1.2'

/** Ignores files that do not exist; they may appear later. */
export function createTrustedCa(caFiles: readonly string[]): TrustedCa {
  const usual = createSecureContext({ minVersion })
  let state = ''
  let extended = usual
  return {
    usual,
    extended: () => {
      const now = caFiles.map(stateOf).join('|')
      if (now === state) return extended
      try {
        extended = withCa(
          caFiles.filter((file) => stateOf(file) !== ''),
          usual,
        )
        state = now
      } catch {
        // The file is being written at present: the next connection reads it again.
      }
      return extended
    },
  }
}

function withCa(files: readonly string[], usual: SecureContext): SecureContext {
  if (files.length === 0) return usual
  const extra = files.map((file) => readFileSync(file, 'utf8'))
  return createSecureContext({ minVersion, ca: [...getCACertificates(), ...extra] })
}

function stateOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.mtimeMs}:${stat.size}:${stat.ino}`
}
