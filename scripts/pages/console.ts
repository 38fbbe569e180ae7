import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { codeBlocks, root } from './page.ts'

/** A command of a page with the lines that the page shows below it. */
export interface ConsoleStep {
  readonly command: string
  readonly expected: readonly string[]
}

/** Every command of the ```console blocks, in the order of the page. A block without a command is output alone. */
export function consoleSteps(text: string): ConsoleStep[] {
  return codeBlocks(text, 'console').flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...expected] = step.trimEnd().split('\n')
        return { command, expected }
      }),
  )
}

interface ShellOptions {
  readonly env: Readonly<Record<string, string>>
  /** Texts of the page that a test replaces, such as a port. */
  readonly replace: Readonly<Record<string, string>>
}

/** A shell with a home directory of its own, in which `crm`, `crm-server` and `npm run` are those of this repository. */
export interface PageShell {
  readonly folder: string
  /** Runs one command to its end, and expects the lines of the page. */
  run(step: ConsoleStep): Promise<void>
  /** Starts a command that does not end; resolves when the lines of the page have appeared. */
  start(step: ConsoleStep): Promise<RunningCommand>
  close(): Promise<void>
}

export interface RunningCommand {
  readonly output: () => string
}

const node = `"${process.execPath}" --conditions=@crmkit/source`
const bundled = (name: string) => fileURLToPath(new URL(`${name}.js`, process.env['CRM_TEST_PROGRAMS']))
const programs: Readonly<Record<string, string>> = {
  crm: `exec ${node} "${bundled('crm')}" "$@"`,
  'crm-server': `exec ${node} "${bundled('crm-server')}" "$@"`,
  // `npm run [-s] TASK [--] ARGS`, without npm: it takes half a second each time.
  npm: `
shift; [ "$1" = -s ] && shift
task=$1; shift
[ "$1" = -- ] && shift
case $task in
  crm | crm-server) exec "$task" "$@" ;;
  *) cd "${root}" && exec ${node} scripts/tasks.ts "$task" "$@" ;;
esac`,
}

export function openPageShell({ env, replace }: ShellOptions): PageShell {
  const folder = mkdtempSync(join(tmpdir(), 'crmkit-page-'))
  const bin = join(folder, '.bin')
  mkdirSync(bin)
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('CRM_'))
  const environment = {
    ...Object.fromEntries(inherited),
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, '.config'),
    CRM_KEYRING: 'off',
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    ...env,
  }
  const running: ChildProcess[] = []
  /** Assignments and exports stay for the later commands of the page. */
  const settings: string[] = []

  const open = (command: string) => {
    const line = replaced(command, replace)
    const isSetting = /^(export \w+=|\w+=)/.test(line)
    const child = spawn('sh', ['-c', [...settings, line].join('\n')], {
      cwd: folder,
      env: environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    if (isSetting) settings.push(line)
    let output = ''
    const collect = (text: Buffer) => {
      output += text
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    return { child, output: () => output }
  }

  const assertLines = (step: ConsoleStep, output: string) => {
    for (const line of step.expected)
      expect(output, `after $ ${step.command}`).toContain(replaced(line, replace).trim())
  }

  return {
    folder,
    async run(step) {
      const { child, output } = open(step.command)
      const [code] = await once(child, 'close')
      expect({ command: step.command, code, output: output() }).toMatchObject({ code: 0 })
      assertLines(step, output())
    },
    async start(step) {
      const { child, output } = open(step.command)
      running.push(child)
      await expect.poll(() => missingLine(step, output(), replace)).toBeUndefined()
      return { output }
    },
    async close() {
      for (const child of running) {
        if (child.exitCode !== null || child.pid === undefined) continue
        const ended = once(child, 'close')
        // The shell and the program that it started.
        process.kill(-child.pid, 'SIGTERM')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function missingLine(
  { expected }: ConsoleStep,
  output: string,
  replace: ShellOptions['replace'],
): string | undefined {
  const missing = expected.map((line) => replaced(line, replace)).find((line) => !output.includes(line))
  return missing === undefined ? undefined : `${missing}\nnot in:\n${output}`
}

function replaced(text: string, replace: ShellOptions['replace']): string {
  return Object.entries(replace).reduce((line, [from, to]) => line.replaceAll(from, to), text)
}
