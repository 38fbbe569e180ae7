import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Functions that stop the parts of a demo, the last one first. */
export const ends: (() => unknown)[] = []
let isEnding = false

export const say = (text: string) => process.stdout.write(`${text}\n`)

/** Runs a demo, and stops what it started, also after Ctrl-C. */
export async function runDemo(run: () => Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(0))
  try {
    await run()
    await end(0)
  } catch (error) {
    if (!isEnding) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    await end(1)
  }
}

/** A folder that is removed at the end. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crmkit-demo-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts the service as a process of its own, on a free port, and returns its address. */
export async function startServer(variables: Record<string, string>): Promise<string> {
  const folder = newFolder()
  const main = 'packages/server/src/main/crm-server.ts'
  const server = spawn(process.execPath, ['--conditions=@crmkit/source', main, 'start', '--dev'], {
    env: { ...ownVariables(), PORT: '0', CRM_DATA_DIR: folder, CRM_LOG_LEVEL: 'warn', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C is for this process, which ends the server after its last request.
    detached: true,
  })
  const exit = once(server, 'exit')
  ends.push(async () => {
    server.kill('SIGTERM')
    await exit
  })
  // The service greets the person who starts it, so its words are shown only when it does not start.
  let words = ''
  server.stderr.on('data', (chunk: Buffer) => {
    words = `${words}${chunk}`.slice(-2_000)
  })
  for await (const line of createInterface({ input: server.stdout })) {
    const [, url] = /listening on (http:\/\/\S+)/.exec(line) ?? []
    if (url !== undefined) {
      return url
    }
  }
  throw new Error(`The service did not start: ${words}`)
}

/** The addresses of the environment, or servers that are started for the demo. */
export async function sharedStorage(): Promise<Record<string, string>> {
  const { CRM_DATABASE_URL, CRM_REDIS_URL } = process.env
  const newSecret = () => randomBytes(32).toString('hex')
  const secrets = { CRM_JWT_SECRET: newSecret(), CRM_SECRETS_KEY: newSecret() }
  if (CRM_DATABASE_URL !== undefined && CRM_REDIS_URL !== undefined)
    return { ...secrets, CRM_DATABASE_URL, CRM_REDIS_URL }
  const { setup } = await import('../start-test-services.ts')
  ends.push(await setup())
  const { CRM_TEST_MONGODB_URL, CRM_TEST_REDIS_URL } = process.env
  if (CRM_TEST_MONGODB_URL === undefined || CRM_TEST_REDIS_URL === undefined) {
    throw new Error(
      'Set CRM_DATABASE_URL and CRM_REDIS_URL to running servers, or name the programs: MONGOMS_SYSTEM_BINARY (mongod) and CRM_TEST_REDIS_BINARY (redis-server).',
    )
  }
  const database = new URL(CRM_TEST_MONGODB_URL)
  database.pathname = '/crmkit-demo-import'
  return { ...secrets, CRM_DATABASE_URL: database.href, CRM_REDIS_URL: CRM_TEST_REDIS_URL }
}

export async function runCli(args: string[], variables: Record<string, string>): Promise<void> {
  const cli = spawn(process.execPath, ['--conditions=@crmkit/source', 'packages/cli/src/main.ts', ...args], {
    env: { ...ownVariables(), CRM_KEYRING: 'off', ...variables },
    stdio: 'inherit',
  })
  const [code] = (await once(cli, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`crm ${args.join(' ')} ended with ${code}`)
}

/** The environment without settings of another installation. */
function ownVariables(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CRM_')))
}

async function end(code: number): Promise<void> {
  if (isEnding) return
  isEnding = true
  for (const stop of ends.reverse()) await stop()
  process.exit(code)
}
