import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PackedPackage, withPackedPackages } from './pack-packages.ts'
import { execute } from './run-steps.ts'
import { runSdkProjects } from './sdk-projects.ts'

/** A package that depends on another one must get its tarball: this version is not published yet. */
function consumerManifest(packages: readonly PackedPackage[]): object {
  const tarballs = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]))
  return { name: 'crmkit-smoke', private: true, dependencies: tarballs, overrides: tarballs }
}

/**
 * Installs the tarballs in empty projects with npm and runs them, because publint and attw also pass
 * packages that crash: an undeclared dependency shows only here.
 */
export function smokePackages(): Promise<number> {
  return withPackedPackages(async (packages, directory) => {
    const cwd = join(directory, 'service')
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'package.json'), JSON.stringify(consumerManifest(packages)))
    const installed = await execute('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd,
    })
    if (installed !== 0) return installed
    const commands: [command: string, ...args: string[]][] = [
      ['node', '--input-type=module', '-e', requireExport("await import('@crmkit/server')", 'createCrm')],
      ['node', join('node_modules', '.bin', 'crm'), '--version'],
    ]
    let failures = 0
    for (const [command, ...args] of commands) {
      const code = await execute(command, args, { cwd })
      if (code !== 0)
        process.stderr.write(`failed in the installed project: ${[command, ...args].join(' ')}\n`)
      failures += Math.min(1, code)
    }
    failures += await smokeDeployment(join(directory, 'deployed'))
    const sdk = packages.find(({ name }) => name === '@crmkit/sdk')
    if (sdk)
      failures += await runSdkProjects(sdk.tarball, { projects: join(directory, 'projects'), service: cwd })
    return failures > 0 ? 1 : 0
  })
}

/** The step of the Dockerfile that builds, and the server that it made. */
async function smokeDeployment(folder: string): Promise<number> {
  const built = await execute('deploy/steps.sh', ['build', folder])
  if (built !== 0) return 1
  return Math.min(1, await execute('node', [join(folder, 'dist/main/crm-server.js'), '--version']))
}

function requireExport(load: string, name: string): string {
  return `const loaded = ${load}; if (typeof loaded.${name} !== 'function') throw new Error('no export ${name}')`
}
