import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execute } from './run-steps.ts'

export interface PackedPackage {
  readonly name: string
  readonly tarball: string
  /** The folder with the unpacked files. */
  readonly files: string
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
    const packed = await Promise.all(publicPackageNames().map((name) => pack(name, directory)))
    return await use(packed, directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function pack(name: string, directory: string): Promise<PackedPackage> {
  // Set by bootstrap.mjs, so that the version is pinned in one place.
  const pnpm = process.env['CRMKIT_PNPM'] ?? 'pnpm'
  const destination = join(directory, 'tarballs', name.replace('@crmkit/', ''))
  mkdirSync(destination, { recursive: true })
  const args = ['--yes', pnpm, '--silent', '--filter', name, 'pack', '--pack-destination', destination]
  const code = await execute('npx', args)
  const file = readdirSync(destination).find((entry) => entry.endsWith('.tgz'))
  if (code !== 0 || !file) throw new Error(`${name} cannot be packed: exit code ${code}`)
  const tarball = join(destination, file)
  execFileSync('tar', ['-xzf', tarball, '-C', destination])
  return { name, tarball, files: join(destination, 'package') }
}
