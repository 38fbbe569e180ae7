export const packageFormat = 'crmkit-package'
export const packageVersion = '1.0'
export const manifestName = 'manifest.json'

/** The kinds of a package, in the order in which they are read: what others name comes first. */
export const packageKinds = [
  'agents',
  'inboxes',
  'labels',
  'replies',
  'organisations',
  'people',
  'conversations',
  'messages',
  'notes',
  'calls',
  'ratings',
  'attachments',
  'suppressions',
] as const
export type PackageKind = (typeof packageKinds)[number]

export const packageLineBytesMax = 1024 * 1024
export const packageLinesPerFileMax = 100_000
export const packageFileBytesMax = 1024 ** 3
export const attachedBytesMax = 50 * 1024 * 1024
export const manifestBytesMax = 8 * 1024 * 1024

/** Returns the name of the n-th file of a kind, from 1: `messages-0001.ndjson`. */
export function packageFileName(kind: PackageKind, number: number): string {
  return `${kind}-${String(number).padStart(4, '0')}.ndjson`
}

const fileName = /^([a-z]{1,20})-[0-9]{4,6}\.ndjson$/
const bytesName = /^bytes\/([0-9a-f]{2})\/([0-9a-f]{64})$/

/** Returns the place of a file's bytes: `bytes/ab/{sha256}`. */
export function bytesPath(sha256: string): string {
  return `bytes/${sha256.slice(0, 2)}/${sha256}`
}

export type PackagePath =
  | { type: 'manifest' }
  | { type: 'lines'; kind: PackageKind }
  | { type: 'bytes'; sha256: string }

/** Returns what a path of a package holds; undefined for a path that no package has. */
export function readPackagePath(path: string): PackagePath | undefined {
  if (path === manifestName) return { type: 'manifest' }
  const name = fileName.exec(path)?.[1]
  const kind = packageKinds.find((known) => known === name)
  if (kind !== undefined) return { type: 'lines', kind }
  const [, prefix, sha256] = bytesName.exec(path) ?? []
  return sha256?.startsWith(prefix ?? '') ? { type: 'bytes', sha256 } : undefined
}
