import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const main = fileURLToPath(new URL('crm.js', process.env['CRM_TEST_PROGRAMS']))
const nodeArgs = ['--conditions=@crmkit/source', main]

export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

type Interrupt = Promise<unknown> | 'output' | ((stdout: string) => boolean)

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Undefined closes stdin immediately. */
  readonly stdin?: string
  /** Sends SIGINT when the promise fulfils, at the first `output`, or when the function accepts stdout. */
  readonly interrupt?: Interrupt
  /** Gets all of stderr so far, whenever there is more. */
  readonly onStderr?: (stderr: string) => void
}

/** A home directory of its own, and functions that run the program as a person does. */
export interface Machine {
  readonly configHome: string
  readonly directory: string
  run(args: readonly string[], options?: RunOptions): Promise<Run>
  runInTerminal(args: readonly string[], options?: TerminalOptions): Promise<TerminalRun>
  /** Runs a shell command, in which `crm` is the program. */
  runInShell(command: string, options?: RunOptions): Promise<Run>
  /** Runs a shell command on a terminal. */
  runInShellTerminal(command: string, options?: TerminalOptions): Promise<TerminalRun>
}

interface TerminalOptions {
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
  /** The typed replies, each after its question has appeared. */
  readonly responses?: readonly (readonly [question: string, response: string])[]
}

interface TerminalRun {
  readonly code: number | null
  /** stdout and stderr, as the terminal received them. */
  readonly screen: string
}

const terminalProgram = 'script'

/** `script` of util-linux makes the pseudo-terminal; without it the terminal tests are skipped. */
export const hasPseudoTerminal = spawnSync(terminalProgram, ['--version'], {
  encoding: 'utf8',
}).stdout?.includes('util-linux')
if (!hasPseudoTerminal)
  process.stderr.write('skipping terminal tests: no util-linux "script" on this machine\n')

export function makeMachine(atEnd: (end: () => void) => void = onTestFinished): Machine {
  const directory = mkdtempSync(join(tmpdir(), 'crmkit-cli-'))
  atEnd(() => rmSync(directory, { recursive: true, force: true }))
  const configHome = join(directory, 'config')
  const baseEnv = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    HOME: directory,
    XDG_CONFIG_HOME: configHome,
    // Shared by all tests, so that calls reuse the compiled program.
    XDG_CACHE_HOME: join(tmpdir(), `crmkit-cli-cache-${process.getuid?.() ?? 0}`),
    TERM: 'xterm',
    // Tests must not use the keyring of the user who runs them.
    CRM_KEYRING: 'off',
  }
  return {
    configHome,
    directory,
    run: (args, { env, ...options } = {}) =>
      finish(process.execPath, [...nodeArgs, ...args], {
        ...options,
        env: { ...baseEnv, ...env },
        cwd: directory,
      }),
    runInShell: (command, { env, ...options } = {}) =>
      finish('bash', ['-c', inShell(command)], { ...options, env: { ...baseEnv, ...env }, cwd: directory }),
    runInShellTerminal: (command, { columns = 120, env, responses = [] } = {}) => {
      const line = `stty cols ${columns} rows 50; exec bash -c ${shellWord(inShell(command))}`
      return inTerminal(['-qfec', line, '/dev/null'], {
        env: { ...baseEnv, ...env },
        cwd: directory,
        responses,
      })
    },
    runInTerminal: (args, { columns = 120, env, responses = [] } = {}) => {
      const command = [process.execPath, ...nodeArgs, ...args].map(shellWord).join(' ')
      const script = ['-qfec', `stty cols ${columns} rows 50; exec ${command}`, '/dev/null']
      return inTerminal(script, { env: { ...baseEnv, ...env }, cwd: directory, responses })
    },
  }
}

/** The shell command with a function `crm` that runs the program. */
function inShell(command: string): string {
  return `crm() { ${[process.execPath, ...nodeArgs].map(shellWord).join(' ')} "$@"; }; ${command}`
}

function shellWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

interface SpawnOptions {
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly stdin?: string | undefined
  readonly interrupt?: Interrupt | undefined
  readonly onStderr?: ((stderr: string) => void) | undefined
}

function finish(
  command: string,
  args: readonly string[],
  { env, cwd, stdin, interrupt, onStderr }: SpawnOptions,
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env,
      cwd,
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk
      if (typeof interrupt === 'function' && interrupt(stdout)) child.kill('SIGINT')
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk
      onStderr?.(stderr)
    })
    child.stdin?.end(stdin)
    if (interrupt === 'output') {
      for (const stream of [child.stdout, child.stderr]) stream?.once('data', () => child.kill('SIGINT'))
    } else if (interrupt instanceof Promise) void interrupt.then(() => child.kill('SIGINT'))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

function inTerminal(
  args: readonly string[],
  {
    env,
    cwd,
    responses,
  }: Pick<SpawnOptions, 'env' | 'cwd'> & { responses: readonly (readonly [string, string])[] },
): Promise<TerminalRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(terminalProgram, args, { env, cwd, stdio: ['pipe', 'pipe', 'inherit'] })
    const waiting = [...responses]
    let screen = ''
    let seen = 0
    child.stdout.on('data', (chunk: Buffer) => {
      screen += chunk
      const [next] = waiting
      if (!next) return
      const at = screen.indexOf(next[0], seen)
      if (at === -1) return
      seen = at + next[0].length
      waiting.shift()
      // The prompt listens a moment after it has drawn itself.
      setTimeout(() => child.stdin.write(next[1]), 100)
    })
    child.on('error', reject)
    child.on('close', (code) => {
      child.stdin.end()
      resolve({ code, screen: screen.replaceAll('\r\n', '\n') })
    })
  })
}
