import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** Removes the settings of crmkit from the machine's own environment. */
function cleanEnvironment(env: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('CRM_') && name !== 'PORT',
  )
  // Tests send more requests than a person does; tests of the limits switch them on.
  return { ...Object.fromEntries(inherited), CRM_RATE_LIMITS: 'off', ...env }
}

export interface Program {
  process: ChildProcess
  /** The address of its line `… listening on URL`. */
  url: string
  /** Lines of stdout so far, and a wait for the first one that matches. */
  lines: readonly string[]
  waitForLine(pattern: RegExp): Promise<string>
  /** Everything it wrote to stderr. */
  stderr(): string
  kill(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts a TypeScript program of this repository from its source and waits until it listens. */
export function startProgram(file: string, args: string[], env: Record<string, string>): Promise<Program> {
  return startNodeProgram({ file, args, env })
}

interface NodeProgram {
  file: string
  args: string[]
  env: Record<string, string>
  /** Options of Node itself, for example `--import`. */
  nodeArgs?: string[]
  /** Called with the process before it is ready, which it may never be. */
  onSpawn?: (child: ChildProcess) => void
}

/** The same as `startProgram`, with options of Node. */
export async function startNodeProgram({
  file,
  args,
  env,
  nodeArgs = [],
  onSpawn,
}: NodeProgram): Promise<Program> {
  const child = spawn(process.execPath, ['--conditions=@crmkit/source', ...nodeArgs, file, ...args], {
    cwd: root,
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onSpawn?.(child)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const lines: string[] = []
  let waiting: { pattern: RegExp; resolve: (line: string) => void; reject: (error: Error) => void }[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    for (const waiter of waiting) if (waiter.pattern.test(line)) waiter.resolve(line)
    waiting = waiting.filter((waiter) => !waiter.pattern.test(line))
  })
  child.on('exit', (code) => {
    for (const waiter of waiting) waiter.reject(new Error(`${file} ended with ${code}: ${stderr}`))
  })
  const waitForLine = (pattern: RegExp) => {
    const found = lines.find((line) => pattern.test(line))
    if (found !== undefined) return Promise.resolve(found)
    return new Promise<string>((resolve, reject) => waiting.push({ pattern, resolve, reject }))
  }
  const line = await waitForLine(/listening on \S+/)
  return {
    process: child,
    url: /listening on (\S+)/.exec(line)?.[1] ?? '',
    lines,
    waitForLine,
    stderr: () => stderr,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
      return child.exitCode
    },
  }
}

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

interface Run {
  env?: Record<string, string>
  input?: string
  /** Allows the caller to end it early. */
  onStart?: (child: ChildProcess) => void
}

/** Runs a TypeScript program of this repository to its end. */
export async function runProgram(
  file: string,
  args: string[],
  { env = {}, input = '', onStart }: Run = {},
): Promise<Finished> {
  const child = spawn(process.execPath, ['--conditions=@crmkit/source', file, ...args], {
    cwd: root,
    env: cleanEnvironment(env),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const finished: Finished = { code: null, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    finished.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    finished.stderr += text
  })
  child.stdin.end(input)
  onStart?.(child)
  const [code] = await once(child, 'close')
  return { ...finished, code }
}

/** The program of that name in the bundle of the test runner; undefined outside of it. */
export function bundledProgram(name: 'crm' | 'crm-server' | 'preload'): string | undefined {
  const bundle = process.env['CRM_TEST_PROGRAMS']
  return bundle === undefined ? undefined : fileURLToPath(new URL(`${name}.js`, bundle))
}

export const serverProgram = bundledProgram('crm-server') ?? 'packages/server/src/main/crm-server.ts'
export const cliProgram = bundledProgram('crm') ?? 'packages/cli/src/main.ts'

/** Lifts a limit of a tenant as its operator does. A running server follows within 10 seconds. */
export async function liftLimit(
  { tenantId, name }: { tenantId: string; name: string },
  env: Record<string, string>,
): Promise<void> {
  const { code, stderr } = await runProgram(
    serverProgram,
    ['tenants', 'set-limit', tenantId, name, 'unlimited'],
    { env },
  )
  if (code !== 0) throw new Error(stderr)
}
