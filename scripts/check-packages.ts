import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { type PackedPackage, withPackedPackages } from './pack-packages.ts'
import { execute, type Output } from './run-steps.ts'

// The sdk also serves CommonJS, and projects with the old resolution, which does not read `exports`.
const attwProfiles: Record<string, string> = {
  '@crmkit/core': 'esm-only',
  '@crmkit/server': 'esm-only',
  '@crmkit/sdk': 'strict',
}

/**
 * Unpacked bytes of a published package. Above the 2,000,000 of architecture 9, because the server's package contains the
 * chat widget with its endpoints, the integrations with their sign-ins, the imports, e-mail in both directions, the
 * console, and the upgrades of stored rows.
 */
const bytesMax = 3_800_000

/** The complaints about the files of a tarball: too many bytes, or tests and sources that nobody imports. */
function findUnwantedFiles({ name, tarball }: PackedPackage): string[] {
  const files = execFileSync('tar', ['-tvzf', tarball], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))
  const bytes = files.reduce((sum, [, , size]) => sum + Number(size), 0)
  const names = files.map((columns) => columns.at(-1) ?? '')
  const tests = names.filter((file) => /\.(test|contract)\./.test(file))
  return [
    ...(bytes > bytesMax ? [`${name}: ${bytes} bytes unpacked; at most ${bytesMax}`] : []),
    ...tests.map((file) => `${name}: ${file} is a test`),
    ...findMissingTypes(tarball, names).map((missing) => `${name}: ${missing}`),
  ]
}

/** Returns the path of a file in the tarball that a declaration imports. */
function importedBy(file: string, specifier: string): string {
  return path.join(path.dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts'))
}

/**
 * Follows the declarations of a tarball from those that its users import. Without the one that is missing, a user would
 * get `any` and no message.
 */
function findMissingTypes(tarball: string, names: readonly string[]): string[] {
  const read = (file: string) => execFileSync('tar', ['-xOzf', tarball, file], { encoding: 'utf8' })
  const manifest = read('package/package.json')
  const entries = [...manifest.matchAll(/"types": "\.\/([^"]+\.d\.ts)"/g)].map(
    ([, file]) => `package/${file}`,
  )
  const found = new Set(entries)
  const missing: string[] = []
  for (const file of found) {
    if (!names.includes(file)) {
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
export function checkPackages(output?: Output): Promise<number> {
  return withPackedPackages(async (packages) => {
    let failures = 0
    for (const packed of packages) {
      const { name, tarball } = packed
      for (const complaint of findUnwantedFiles(packed)) {
        console.error(complaint)
        failures++
      }
      failures += Math.min(1, await execute('publint', ['run', tarball, '--strict'], { output }))
      const profile = attwProfiles[name]
      if (profile)
        failures += Math.min(
          1,
          await execute('attw', [tarball, '--profile', profile, '--format', 'ascii'], { output }),
        )
    }
    return failures > 0 ? 1 : 0
  })
}
