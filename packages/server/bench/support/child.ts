import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export interface Child {
  url: string
  process: ChildProcess
  stop(): Promise<void>
}

/** The limits are counted as usual, but never reached. */
const limits = Object.fromEntries(
  ['KEY', 'USER', 'TENANT', 'ADDRESS', 'LOGIN'].map((name) => [`CRM_LIMIT_${name}_PER_MINUTE`, '1000000000']),
)

/** Starts a TypeScript program from its source, with flags of Node, and waits for its line `… listening on URL`. */
export async function startChild(
  file: string,
  args: string[],
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<Child> {
  return startNode(['--conditions=@crmkit/source', ...flags, file, ...args], env)
}

/** Starts Node with these arguments, and waits for the line `… listening on URL`. */
export async function startNode(args: readonly string[], env: Record<string, string> = {}): Promise<Child> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...limits, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const lines = createInterface({ input: child.stdout as Readable })
  for await (const line of lines) {
    const url = /listening on (\S+)/.exec(line)?.[1]
    if (url) {
      return {
        url,
        process: child,
        async stop() {
          const ended = once(child, 'exit')
          child.kill('SIGTERM')
          await ended
        },
      }
    }
  }
  throw new Error(`node ${args.join(' ')} ended before it listened`)
}
