// `npm run demo:import`: starts an emulator of Zoho CRM and a service in a temporary folder, signs in, imports with the
// progress of the CLI, and imports again after a change. `-- --mongo` does the same on MongoDB and Redis.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { startEmulator } from '../examples/zoho-emulator/src/start-emulator.ts'
import { Crm } from '../packages/sdk/src/index.ts'

const { values: options } = parseArgs({
  options: {
    contacts: { type: 'string', default: '2000' },
    mongo: { type: 'boolean', default: false },
    /** Goes on serving until Ctrl-C; the default where a person is at the terminal. */
    stay: { type: 'boolean', default: process.stdin.isTTY === true },
  },
})
const ends: (() => unknown)[] = []
const say = (text: string) => process.stdout.write(`${text}\n`)
let isEnding = false

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(0))
try {
  await run()
  await end(0)
} catch (error) {
  if (!isEnding) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  await end(1)
}

async function run(): Promise<void> {
  const contacts = Number(options.contacts)
  const tenth = Math.ceil(contacts / 10)
  const counts = {
    Accounts: tenth,
    Contacts: contacts,
    Deals: tenth,
    Cases: tenth,
    Notes: tenth,
    Calls: tenth,
  }
  // A real source is not as near: with a delay the bar is seen to move.
  const zoho = await startEmulator({ counts, latencyMs: 100 })
  ends.push(() => zoho.close())
  say(`1. An emulator of Zoho CRM with ${contacts} contacts serves on ${zoho.url}.`)

  const baseUrl = await startServer({
    ...(options.mongo ? await sharedStorage() : {}),
    CRM_CONNECTOR_HOSTS: zoho.host,
    CRM_ZOHO_ACCOUNTS_SERVER: zoho.url,
    CRM_ZOHO_CLIENT_ID: zoho.clientId,
    CRM_ZOHO_CLIENT_SECRET: zoho.clientSecret,
  })
  say(`2. A service with ${options.mongo ? 'MongoDB and Redis' : 'embedded storage'} serves on ${baseUrl}.`)

  const owner = { email: 'demo@example.com', password: 'a password for the demo' }
  const { accessToken } = await new Crm({ baseUrl }).auth.register({ tenantName: 'Demo', ...owner })
  const crm = new Crm({ baseUrl, accessToken })
  const { authorizationUrl, state } = await crm.integrations.connect('zoho', {})
  // A person opens this address in a browser; the emulator grants access immediately.
  await fetch(authorizationUrl)
  const { _id: id, accountName } = await crm.integrations.confirm('zoho', { state })
  say(`3. Connected ${accountName} by a sign-in. The import begins:\n`)

  const permissions = [
    'read:customers',
    'read:conversations',
    'write:customers',
    'write:conversations',
  ] as const
  const { key } = await crm.apiKeys.create({ name: 'Demo', permissions: [...permissions] })
  const cli = (...args: string[]) => runCli(args, { CRM_BASE_URL: baseUrl, CRM_API_KEY: key })
  const everything = ['--only', 'contacts,deals,tickets,notes,activities', '--watch']
  await cli('imports', 'start', id, ...everything)

  const people = zoho.api.dataset('Contacts')
  people.update(people.idOf(0), { Title: 'Head of Research' })
  say('\n4. One contact has changed at the source. The same import again writes this one record:\n')
  await cli('imports', 'start', id, '--only', 'contacts', '--watch')

  const { data } = await crm.imports.list(id, { limit: 2 })
  const figures = data.map(({ modules }) => modules['Contacts'])
  say(
    `\n5. Contacts of the first import: ${figures[1]?.created} created, ${figures[1]?.merged} merged, ${figures[1]?.failed} failed.`,
  )
  say(`   Contacts of the second import: ${figures[0]?.updated} updated, ${figures[0]?.unchanged} unchanged.`)
  if (!options.stay) return
  say(`
To look at it, in another terminal (the password is "${owner.password}"):
  npm run crm -- login --base-url ${baseUrl} --email ${owner.email}
  npm run crm -- customers list
  npm run crm -- imports list ${id}
  npm run crm -- imports undo ${id} ${data[1]?._id}
Ctrl-C ends the demo and removes its data.`)
  await new Promise(() => {})
}

/** Starts the service as a process of its own, on a free port, and returns its address. */
async function startServer(variables: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'crmkit-demo-import-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
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
async function sharedStorage(): Promise<Record<string, string>> {
  const { CRM_DATABASE_URL, CRM_REDIS_URL } = process.env
  const newSecret = () => randomBytes(32).toString('hex')
  const secrets = { CRM_JWT_SECRET: newSecret(), CRM_SECRETS_KEY: newSecret() }
  if (CRM_DATABASE_URL !== undefined && CRM_REDIS_URL !== undefined)
    return { ...secrets, CRM_DATABASE_URL, CRM_REDIS_URL }
  const { setup } = await import('./start-test-services.ts')
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

async function runCli(args: string[], variables: Record<string, string>): Promise<void> {
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
