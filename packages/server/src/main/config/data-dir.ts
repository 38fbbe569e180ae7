import { randomBytes } from 'node:crypto'
import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError } from './config-error.ts'

/** In bytes, of every secret of the configuration. */
export const secretMinBytes = 32

/** Makes the data directory when there is none. Throws ConfigError when it cannot be written. */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch {
    throw new ConfigError([`CRM_DATA_DIR names a directory that cannot be written: ${dataDir}`])
  }
}

/** Returns the secret in the data directory; empty when there is none. */
export function storedSecret(dataDir: string, name: string): string[] {
  const file = path.join(dataDir, name)
  let secret: string
  try {
    secret = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new ConfigError([`The secret ${file} cannot be read`])
  }
  if (Buffer.byteLength(secret) < secretMinBytes)
    throw new ConfigError([`The secret in ${file} is too short`])
  return [secret]
}

/** Returns a secret that is generated once and stored in the data directory, so that a first start needs no settings. */
export function generatedSecret(dataDir: string, name: string): string[] {
  const file = path.join(dataDir, name)
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    // EEXIST: an earlier start, or another process a moment ago, has generated the secret.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new ConfigError([`The secret ${file} cannot be written`])
    }
  }
  return storedSecret(dataDir, name)
}
