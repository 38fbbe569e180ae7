import { withPackedPackages } from './pack-packages.ts'
import { execute, type Output } from './run-steps.ts'

// The sdk also serves CommonJS; `node16` excludes only the old resolution without `exports`.
const attwProfiles: Record<string, string> = {
  '@crmkit/core': 'esm-only',
  '@crmkit/server': 'esm-only',
  '@crmkit/sdk': 'node16',
}

/** Runs publint and attw on the tarballs that would be published. */
export function checkPackages(output?: Output): Promise<number> {
  return withPackedPackages(async (packages) => {
    let failures = 0
    for (const { name, tarball } of packages) {
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
