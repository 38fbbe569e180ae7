import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { performance } from 'node:perf_hooks'

export interface Step {
  readonly name: string
  /** Resolves to an exit code. */
  readonly run: () => Promise<number>
}

/** Runs a program of node_modules/.bin (it is on PATH) and resolves to its exit code, 127 when it is missing. */
export function execute(
  command: string,
  args: readonly string[],
  options: { cwd?: string } = {},
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: 'inherit' })
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
    child.once('exit', (code, signal) => finish(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}

function ignoreInterrupt(): void {}

export function step(name: string, command: string, ...args: readonly string[]): Step {
  return { name, run: () => execute(command, args) }
}

/** Runs every step even when one fails, so that one run shows all there is to repair; 1 when any failed. */
export async function runSteps(steps: readonly Step[]): Promise<number> {
  const failed: string[] = []
  for (const { name, run } of steps) {
    const startedAt = performance.now()
    const code = await run()
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    process.stderr.write(
      code === 0 ? `✓ ${name} (${seconds} s)\n` : `✗ ${name} (${seconds} s, exit code ${code})\n`,
    )
    if (code !== 0) failed.push(name)
    if (code > 128) break // interrupted: the rest is not wanted
  }
  if (failed.length > 0) process.stderr.write(`Failed: ${failed.join(', ')}\n`)
  return failed.length > 0 ? 1 : 0
}
