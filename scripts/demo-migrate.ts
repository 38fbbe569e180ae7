// `npm run demo:migrate`: starts an emulator of Zendesk and a service in a temporary folder, reads the account into a package,
// imports the package, and shows the count sheet; then once more after a change. `-- --mongo` does it on MongoDB and Redis.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmulator } from '../examples/zendesk-emulator/src/start-emulator.ts'
import { Crm } from '../packages/sdk/src/index.ts'
import { ends, newFolder, runCli, runDemo, say, sharedStorage, startServer } from './demo/demo-world.ts'

const { values: options } = parseArgs({
  options: {
    tickets: { type: 'string', default: '200' },
    mongo: { type: 'boolean', default: false },
    /** Goes on serving until Ctrl-C; the default where a person is at the terminal. */
    stay: { type: 'boolean', default: process.stdin.isTTY === true },
  },
})
await runDemo(run)

async function run(): Promise<void> {
  const zendesk = await startEmulator({ tickets: Number(options.tickets) })
  ends.push(() => zendesk.close())
  say(`1. An emulator of Zendesk with ${options.tickets} tickets serves on ${zendesk.url}.`)

  const baseUrl = await startServer(options.mongo ? await sharedStorage() : {})
  say(`2. A service with ${options.mongo ? 'MongoDB and Redis' : 'embedded storage'} serves on ${baseUrl}.`)

  const owner = { email: zendesk.email, password: 'a password for the demo' }
  const { accessToken } = await new Crm({ baseUrl }).auth.register({ tenantName: 'Demo', ...owner })
  const crm = new Crm({ baseUrl, accessToken })
  const permissions = [
    'read:customers',
    'read:conversations',
    'write:customers',
    'write:conversations',
  ] as const
  const { key } = await crm.apiKeys.create({ name: 'Demo', permissions: [...permissions] })
  const cli = (...args: string[]) =>
    runCli(args, {
      CRM_BASE_URL: baseUrl,
      CRM_API_KEY: key,
      CRM_MIGRATE_TOKEN: zendesk.apiToken,
      CRM_CONNECTOR_HOSTS: zendesk.hosts,
    })

  const folder = join(newFolder(), 'from-zendesk')
  const migrate = ['migrate', 'zendesk', folder, '--url', zendesk.url, '--email', zendesk.email]
  say('3. A reader writes a package:\n')
  await cli(...migrate)

  const { _id: id } = await crm.integrations.create({ provider: 'package' })
  const take = async (from: string) => {
    await cli('imports', 'load', id, from)
    await cli('imports', 'start', id, '--watch')
    await cli('imports', 'count-sheet', id)
  }
  say('\n4. The package is uploaded and imported, and counted at the source, in the package and here:\n')
  await take(folder)

  zendesk.account.change(3, { status: 'open' }, 'It stopped again.')
  say('\n5. A customer has written at the source. A second pass reads what changed since, and imports it:\n')
  await cli(...migrate, '--sync')
  await take(join(folder, 'sync-0001'))
  if (!options.stay) return
  say(`
To look at it, in another terminal (the password is "${owner.password}"):
  npm run crm -- login --base-url ${baseUrl} --email ${owner.email}
  npm run crm -- conversations list
Ctrl-C ends the demo and removes its data.`)
  await new Promise(() => {})
}
