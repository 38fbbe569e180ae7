import { globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { PackedPackage } from './pack-packages.ts'
import { execute, type Output } from './run-steps.ts'

// The sdk also serves CommonJS, and projects with the old resolution, which does not read `exports`.
const attwProfiles: Record<string, string> = {
  '@crmkit/core': 'esm-only',
  '@crmkit/server': 'esm-only',
  '@crmkit/sdk': 'strict',
}

/**
 * Unpacked bytes of a published package. Above the 2,000,000 of architecture 9, because the server's package contains the
 * chat widget in 25 languages with its endpoints and its mail to visitors, the figures of conversations with their screen, the integrations with their sign-ins, the imports with the packages of a tenant, e-mail in both directions with the
 * sign-ins of mailboxes, the way back of merges and restores, merges of conversations, mentions, the console with its settings, one search, the rows that say who waits, the store of files in a bucket, the upgrades of stored rows, and the tables by which mails and files of any language are read.
 */
const bytesMax = 5_700_000

/** The complaints about the files of a package: too many bytes, or tests and sources that nobody imports. */
function findUnwantedFiles({ name, files }: PackedPackage): string[] {
  const names = globSync('**/*', { cwd: files }).filter((file) => statSync(path.join(files, file)).isFile())
  const bytes = names.reduce((sum, file) => sum + statSync(path.join(files, file)).size, 0)
  const tests = names.filter((file) => /\.(test|contract)\./.test(file))
  return [
    ...(bytes > bytesMax ? [`${name}: ${bytes} bytes unpacked; at most ${bytesMax}`] : []),
    ...tests.map((file) => `${name}: ${file} is a test`),
    ...findMissingTypes(files, new Set(names)).map((missing) => `${name}: ${missing}`),
  ]
}

/** Returns the path of a file in the package that a declaration imports. */
function importedBy(file: string, specifier: string): string {
  return path.join(path.dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts'))
}

/**
 * Follows the declarations of a package from those that its users import. Without the one that is missing, a user would
 * get `any` and no message.
 */
function findMissingTypes(files: string, names: ReadonlySet<string>): string[] {
  const read = (file: string) => readFileSync(path.join(files, file), 'utf8')
  const manifest = read('package.json')
  const entries = [...manifest.matchAll(/"types": "\.\/([^"]+\.d\.ts)"/g)].map(([, file = '']) => file)
  const found = new Set(entries)
  const missing: string[] = []
  for (const file of found) {
    if (!names.has(file)) {
      missing.push(`${file} is needed by the types of the package, and is not in it`)
      continue
    }
    for (const [, specifier = ''] of read(file).matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)) {
      found.add(importedBy(file, specifier))
    }
  }
  return missing
}

/** Checks the tarballs that would be published: their size and files, publint, attw. */
export async function checkPackages(packages: readonly PackedPackage[], output?: Output): Promise<number> {
  let failures = 0
  for (const packed of packages) {
    const { name, tarball } = packed
    for (const complaint of findUnwantedFiles(packed)) {
      console.error(complaint)
      failures++
    }
    failures += Math.min(1, await execute('publint', ['run', tarball, '--strict'], { output }))
    const profile = attwProfiles[name]
    const args = [tarball, '--profile', profile ?? '', '--format', 'ascii']
    if (profile) failures += Math.min(1, await execute('attw', args, { output }))
  }
  return failures > 0 ? 1 : 0
}
