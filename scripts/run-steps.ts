import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { performance } from 'node:perf_hooks'

export interface Step {
  readonly name: string
  /** Resolves to an exit code. Its programs print to `output`, or straight to the terminal without one. */
  readonly run: (output?: Output) => Promise<number>
}

/** Collects the output of a step's programs, so that the output of parallel steps is not mixed. */
export type Output = (chunk: Buffer | string) => void

/** Not by its name: two versions of TypeScript are installed, and both programs are called `tsc`. */
export const nativeCompiler = 'node_modules/typescript-native/bin/tsc'

/** Runs a program of node_modules/.bin (it is on PATH) and resolves to its exit code, 127 when it is missing. */
export function execute(
  command: string,
  args: readonly string[],
  {
    output,
    ...options
  }: {
    cwd?: string
    env?: NodeJS.ProcessEnv
    output?: Output | undefined
    /** Milliseconds, after which the program is ended. */
    timeout?: number
  } = {},
): Promise<number> {
  return new Promise((resolve) => {
    const stdio = output ? ('pipe' as const) : ('inherit' as const)
    const child = spawn(command, args, { ...options, stdio })
    if (output) {
      child.stdout?.on('data', output)
      child.stderr?.on('data', output)
    }
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal)
    process.on('SIGTERM', forward).on('SIGHUP', forward)
    // Ctrl+C reaches the child by itself; this process must outlive it to report.
    process.on('SIGINT', ignoreInterrupt)
    const finish = (code: number): void => {
      process.off('SIGTERM', forward).off('SIGHUP', forward).off('SIGINT', ignoreInterrupt)
      resolve(code)
    }
    child.once('error', (err) => {
      process.stderr.write(`${command}: ${err.message}\n`)
      finish(127)
    })
    child.once('close', (code, signal) => finish(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}

function ignoreInterrupt(): void {}

export function step(name: string, command: string, ...args: readonly string[]): Step {
  return { name, run: (output) => execute(command, args, { output }) }
}

/** Runs steps that depend on each other: the first failure ends them. */
export function chain(name: string, steps: readonly Step[]): Step {
  return {
    name,
    run: async (output) => {
      for (const { run } of steps) {
        const code = await run(output)
        if (code !== 0) return code
      }
      return 0
    },
  }
}

async function runStep({ name, run }: Step, output?: Output): Promise<number> {
  const startedAt = performance.now()
  const code = await run(output)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const line = code === 0 ? `✓ ${name} (${seconds} s)\n` : `✗ ${name} (${seconds} s, exit code ${code})\n`
  process.stderr.write(line)
  return code
}

function summary(failed: readonly string[]): number {
  if (failed.length > 0) process.stderr.write(`Failed: ${failed.join(', ')}\n`)
  return failed.length > 0 ? 1 : 0
}

/** Runs every step even when one fails, so that one run shows all problems; returns 1 when any failed. */
export async function runSteps(steps: readonly Step[]): Promise<number> {
  const failed: string[] = []
  for (const step of steps) {
    const code = await runStep(step)
    if (code !== 0) failed.push(step.name)
    if (code > 128) break // The run was interrupted: the remaining steps are not needed.
  }
  return summary(failed)
}

/** The same for independent steps, two at a time; each prints its output when it has ended. */
export async function runSideBySide(steps: readonly Step[]): Promise<number> {
  const waiting = [...steps]
  const failed: string[] = []
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const chunks: Buffer[] = []
      const code = await runStep(step, (chunk) => void chunks.push(Buffer.from(chunk)))
      if (code === 0) continue
      process.stdout.write(Buffer.concat(chunks))
      failed.push(step.name)
      if (code > 128) waiting.length = 0
    }
  }
  await Promise.all([work(), work()])
  return summary(failed)
}
