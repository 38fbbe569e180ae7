// `npm run demo:import`: starts an emulator of Zoho CRM and a service in a temporary folder, signs in, imports with the
// progress of the CLI, and imports again after a change. `-- --mongo` does the same on MongoDB and Redis.
import { parseArgs } from 'node:util'
import { startEmulator } from '../examples/zoho-emulator/src/start-emulator.ts'
import { Crm } from '../packages/sdk/src/index.ts'
import { ends, runCli, runDemo, say, sharedStorage, startServer } from './demo/demo-world.ts'

const { values: options } = parseArgs({
  options: {
    contacts: { type: 'string', default: '2000' },
    mongo: { type: 'boolean', default: false },
    /** Goes on serving until Ctrl-C; the default where a person is at the terminal. */
    stay: { type: 'boolean', default: process.stdin.isTTY === true },
  },
})
await runDemo(run)

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
