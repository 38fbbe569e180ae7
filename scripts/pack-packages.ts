import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execute } from './run-steps.ts'

export interface PackedPackage {
  readonly name: string
  readonly tarball: string
}

function publicPackageNames(): string[] {
  return readdirSync('packages')
    .map((folder) => JSON.parse(readFileSync(join('packages', folder, 'package.json'), 'utf8')))
    .filter((manifest: { private?: boolean }) => !manifest.private)
    .map((manifest: { name: string }) => manifest.name)
}

/** Packs every public package as `pnpm publish` would, and passes the tarballs to `use`. Deletes them afterwards. */
export async function withPackedPackages(
  use: (packages: readonly PackedPackage[], directory: string) => Promise<number>,
): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'crmkit-pack-'))
  try {
    const packed: PackedPackage[] = []
    // Set by bootstrap.mjs, so that the version is pinned in one place.
    const pnpm = process.env['CRMKIT_PNPM'] ?? 'pnpm'
    for (const name of publicPackageNames()) {
      const destination = join(directory, 'tarballs', name.replace('@crmkit/', ''))
      mkdirSync(destination, { recursive: true })
      const args = ['--yes', pnpm, '--silent', '--filter', name, 'pack', '--pack-destination', destination]
      const code = await execute('npx', args)
      const file = readdirSync(destination).find((entry) => entry.endsWith('.tgz'))
      if (code !== 0 || !file) return code || 1
      packed.push({ name, tarball: join(destination, file) })
    }
    return await use(packed, directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
