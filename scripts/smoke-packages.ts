import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type PackedPackage, withPackedPackages } from './pack-packages.ts'
import { execute } from './run-steps.ts'

const consumerTypes = `import { Crm } from '@crmkit/sdk'
import * as webhooks from '@crmkit/sdk/webhooks'
export const names: [typeof Crm, typeof webhooks] = [Crm, webhooks]
`

const tsconfig = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
  },
  files: ['consumer.ts', 'consumer.cts'],
}

/** A package that depends on another one must get its tarball: this version is not published yet. */
function consumerManifest(packages: readonly PackedPackage[]): object {
  const tarballs = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]))
  return { name: 'crmkit-smoke', private: true, dependencies: tarballs, overrides: tarballs }
}

/**
 * Installs the tarballs in an empty project with npm and runs them, because publint and attw also pass
 * packages that crash: an undeclared dependency shows only here.
 */
export function smokePackages(): Promise<number> {
  return withPackedPackages(async (packages, cwd) => {
    writeFileSync(join(cwd, 'package.json'), JSON.stringify(consumerManifest(packages)))
    writeFileSync(join(cwd, 'consumer.ts'), consumerTypes)
    writeFileSync(join(cwd, 'consumer.cts'), consumerTypes)
    writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify(tsconfig))
    const installed = await execute('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd,
    })
    if (installed !== 0) return installed
    const commands: [command: string, ...args: string[]][] = [
      ['node', '--input-type=module', '-e', requireExport("await import('@crmkit/sdk')", 'Crm')],
      ['node', '--input-type=commonjs', '-e', requireExport("require('@crmkit/sdk')", 'Crm')],
      ['node', '--input-type=module', '-e', "await import('@crmkit/sdk/webhooks')"],
      ['node', '--input-type=commonjs', '-e', "require('@crmkit/sdk/webhooks')"],
      ['node', '--input-type=module', '-e', requireExport("await import('@crmkit/server')", 'createCrm')],
      ['node', join('node_modules', '.bin', 'crm'), '--version'],
      ['node', resolve('node_modules/typescript/bin/tsc'), '-p', '.'],
    ]
    let failures = 0
    for (const [command, ...args] of commands) {
      const code = await execute(command, args, { cwd })
      if (code !== 0)
        process.stderr.write(`failed in the installed project: ${[command, ...args].join(' ')}\n`)
      failures += Math.min(1, code)
    }
    return failures > 0 ? 1 : 0
  })
}

function requireExport(load: string, name: string): string {
  return `const loaded = ${load}; if (typeof loaded.${name} !== 'function') throw new Error('no export ${name}')`
}
