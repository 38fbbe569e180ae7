import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PackedPackage } from './pack-packages.ts'
import { codeBlocks } from './pages/page.ts'
import { execute } from './run-steps.ts'

/** A package that depends on another one must get its tarball: this version is not published yet. */
function consumerManifest(packages: readonly PackedPackage[]): object {
  const tarballs = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]))
  return { name: 'crmkit-smoke', private: true, dependencies: tarballs, overrides: tarballs }
}

/**
 * Installs the tarballs in an empty project with npm and runs them, because publint and attw also pass packages that crash: an
 * undeclared dependency shows only here. Returns the folder of the project; undefined when it failed.
 */
export async function installService(
  packages: readonly PackedPackage[],
  directory: string,
): Promise<string | undefined> {
  const cwd = join(directory, 'service')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(consumerManifest(packages)))
  const commands: [command: string, ...args: string[]][] = [
    ['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error'],
    ['node', '--input-type=module', '-e', requireExport("await import('@crmkit/server')", 'createCrm')],
  ]
  for (const [command, ...args] of commands) {
    if ((await execute(command, args, { cwd })) === 0) continue
    process.stderr.write(`failed in the installed project: ${[command, ...args].join(' ')}\n`)
    return undefined
  }
  const { commit } = JSON.parse(readFileSync('packages/server/dist/build.json', 'utf8'))
  for (const program of ['crm', 'crm-server']) {
    const printed = execFileSync('node', [join('node_modules', '.bin', program), '--version'], {
      cwd,
      encoding: 'utf8',
    })
    if (commit === null || printed.includes(`commit ${commit}`)) continue
    process.stderr.write(`${program} --version names no commit: ${printed}`)
    return undefined
  }
  return cwd
}

/** Folders of docs/production.md, and those that stand in for them here. */
const folders = {
  '/opt/crmkit': 'opt',
  '/usr/local/bin': 'bin',
  '/etc/crmkit': 'etc',
  '/var/lib/crmkit': 'lib',
} as const

/** The commands of docs/production.md that build and install, word for word, and a first start with the settings of the page. */
export async function smokeDeployment(directory: string): Promise<number> {
  const machine = join(directory, 'deployed')
  for (const name of Object.values(folders)) mkdirSync(join(machine, name), { recursive: true })
  const onMachine = (text: string) =>
    Object.entries(folders).reduce((all, [path, name]) => all.replaceAll(path, join(machine, name)), text)
  const [install = '', settings = ''] = codeBlocks(readFileSync('docs/production.md', 'utf8'), 'sh')
  const path = `${join(machine, 'bin')}:${process.env['PATH'] ?? ''}`
  const run = (script: string, env: NodeJS.ProcessEnv = {}) =>
    execute('sh', ['-ec', script], { env: { ...process.env, PATH: path, ...env } })
  const installed = await run(onMachine(`${install}${settings}deploy/steps.sh secrets /etc/crmkit`))
  if (installed !== 0) return 1
  const lines = onMachine(readFileSync(join(machine, 'etc/env'), 'utf8')).split('\n')
  const set = lines.flatMap((line) => {
    const [, name = '', value = ''] = /^([A-Z_]+)=(.*)$/.exec(line) ?? []
    return name === '' ? [] : [[name, value] as const]
  })
  return Math.min(1, await run('crm-server migrate && crm-server doctor', Object.fromEntries(set)))
}

function requireExport(load: string, name: string): string {
  return `const loaded = ${load}; if (typeof loaded.${name} !== 'function') throw new Error('no export ${name}')`
}
