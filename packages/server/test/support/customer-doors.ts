import { expect } from 'vitest'
import { startEmulator as startHubspot } from '../../../../examples/hubspot-emulator/src/start-emulator.ts'
import { startEmulator as startZoho } from '../../../../examples/zoho-emulator/src/start-emulator.ts'
import { call } from './call.ts'
import { type MailInbox, makeMailInbox } from './mail-inbox.ts'
import { type RunningService, startService } from './start-service.ts'
import { switchWidgetOn, WidgetVisitor } from './widget-visitor.ts'

/** One way in which people become customers. */
interface Door {
  /** Makes this many customers and returns their ids. */
  open(count: number): Promise<string[]>
  /** Where the source can be read again: imports it once more, and returns what the run counted for its people. */
  again?(): Promise<Record<string, number>>
}

type DoorName =
  | 'the API'
  | 'an external id'
  | 'a file'
  | 'Zoho CRM'
  | 'HubSpot'
  | 'a mail'
  | 'the widget'
  | 'a merge of an imported customer'
  | 'an undone import that had joined them'

export type Doors = Readonly<Record<DoorName, Door>> & {
  inbox: MailInbox
  stop(): Promise<void>
}

/** How many people each emulated CRM has. */
export const peopleOfEmulators = 4

const base = '/api/extcrm/integrations'
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Waits for the run of an integration that was started last, and for its undo; returns it. */
export async function finishedRun(ask: MailInbox['ask'], path: string) {
  const status = async () => (await ask('GET', `${path}/import/status`)).body.data
  await expect.poll(async () => (await status()).syncStatus).toMatch(/^(idle|failed)$/)
  return (await status()).run
}

/** An integration whose people are imported and read again. */
export function imported({ ask }: MailInbox, provider: string, fields: () => object) {
  let path = ''
  const connect = async () => {
    const made = await ask('POST', base, { provider, ...fields() })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    path = `${base}/${made.body.data._id}`
    return path
  }
  const run = async () => {
    const only = { importDeals: false, importTickets: false, importNotes: false, importActivities: false }
    const started = await ask('POST', `${path}/import`, { importContacts: true, ...only })
    expect(started.status, JSON.stringify(started.body)).toBe(202)
    return finishedRun(ask, path)
  }
  return {
    connect,
    run,
    again: async () => (await run()).modules.Contacts,
    path: () => path,
  }
}

/** Returns the ids of the customers with an external id of this account. */
async function peopleOf({ ask }: MailInbox, prefix: string): Promise<string[]> {
  const { data } = (await ask('GET', '/api/v1/customers?limit=100&sort=createdAt')).body
  type Found = { _id: string; externalIds: string[] }
  return (data as Found[])
    .filter(({ externalIds }) => externalIds.some((id) => id.startsWith(prefix)))
    .map(({ _id }) => _id)
}

/** A file of people; each file has an integration of its own, so its ids are its own. */
function fileOf(inbox: MailInbox, url: string) {
  const source = imported(inbox, 'file', () => ({}))
  const upload = async (lines: readonly string[]) => {
    const path = await source.connect()
    const file = new File([['Id,First Name,Email', ...lines].join('\n')], 'people.csv')
    const { token } = inbox.owner
    const form = { module: 'Contacts', file }
    const response = await call(url, { method: 'POST', path: `${path}/files`, token, form })
    expect(response.status, JSON.stringify(response.body)).toBe(201)
    return source.run()
  }
  return { ...source, upload, prefix: () => `file:${source.path().slice(base.length + 1)}:` }
}

const people = (count: number, name: string) =>
  numbers(count).map((number) => `${number},${name} ${number},${name.toLowerCase()}${number}@people.test`)

/** Starts one service and one tenant with every door by which people become customers. */
export async function openCustomerDoors(): Promise<Doors> {
  const zoho = await startZoho({ counts: { Contacts: peopleOfEmulators } })
  const hubspot = await startHubspot({ counts: { contacts: peopleOfEmulators } })
  const running = await startService({
    CRM_CONNECTOR_HOSTS: `${zoho.host},${hubspot.host}`,
    CRM_ZOHO_CLIENT_ID: zoho.clientId,
    CRM_ZOHO_CLIENT_SECRET: zoho.clientSecret,
    CRM_ZOHO_ACCOUNTS_SERVER: zoho.url,
    CRM_HUBSPOT_API_DOMAIN: hubspot.url,
  })
  const inbox = await makeMailInbox(running)
  const remote = (provider: 'zoho' | 'hubspot', fields: () => object): Door => {
    const source = imported(inbox, provider, fields)
    const open = async () => {
      await source.connect()
      await source.run()
      return peopleOf(inbox, `${provider}:`)
    }
    return { open, again: source.again }
  }
  return {
    ...localDoors(running, inbox),
    'Zoho CRM': remote('zoho', () => ({
      apiDomain: zoho.url,
      credentials: { refreshToken: zoho.oauth.newRefreshToken() },
    })),
    HubSpot: remote('hubspot', () => ({ credentials: { accessToken: hubspot.newServiceKey() } })),
    inbox,
    async stop() {
      await running.stop()
      await zoho.close()
      await hubspot.close()
    },
  }
}

function localDoors(running: RunningService, inbox: MailInbox) {
  const { ask } = inbox
  const each = (make: (number: number) => Promise<string>) => async (count: number) => {
    const ids: string[] = []
    for (const number of numbers(count)) ids.push(await make(number))
    return ids
  }
  const create = async (fields: object) => (await ask('POST', '/api/v1/customers', fields)).body.data._id
  return {
    ...fileDoors(running, inbox, create),
    'the API': { open: each((n) => create({ firstName: `Ann ${n}`, email: `ann${n}@people.test` })) },
    'an external id': {
      open: each(async (n) => {
        const put = await ask('PUT', `/api/v1/customers/by-external-id/shop/${n}`, { firstName: `Bea ${n}` })
        return put.body.data._id
      }),
    },
    'a mail': {
      open: each(async (n) => {
        const mail = await inbox.receive({ from: `Cy ${n} <cy${n}@people.test>` })
        return (await inbox.conversationOf(mail['conversationId'])).customerId._id
      }),
    },
    'the widget': {
      open: each(async (n) => {
        const { key } = await switchWidgetOn(running.url, inbox.owner.token)
        const visitor = new WidgetVisitor(running.url)
        await visitor.begin(key, { profile: { firstName: `Dee ${n}`, email: `dee${n}@people.test` } })
        const { _id } = await visitor.ask('Hello')
        return (await inbox.conversationOf(_id)).customerId._id
      }),
    },
  }
}

function fileDoors(running: RunningService, inbox: MailInbox, create: (fields: object) => Promise<string>) {
  const { ask } = inbox
  const file = fileOf(inbox, running.url)
  const merged = fileOf(inbox, running.url)
  const undone = fileOf(inbox, running.url)
  return {
    'a file': {
      open: async (count: number) => {
        await file.upload(people(count, 'Eve'))
        return peopleOf(inbox, file.prefix())
      },
      again: file.again,
    },
    'a merge of an imported customer': {
      open: async (count: number) => {
        await merged.upload(people(count, 'Fay'))
        const sources = await peopleOf(inbox, merged.prefix())
        const ids: string[] = []
        for (const sourceId of sources) {
          const id = await create({ firstName: 'Gil' })
          expect((await ask('POST', `/api/v1/customers/${id}/merge`, { sourceId })).status).toBe(200)
          ids.push(id)
        }
        return ids
      },
      again: merged.again,
    },
    'an undone import that had joined them': {
      open: async (count: number) => {
        const ids: string[] = []
        for (const n of numbers(count)) ids.push(await create({ email: `hal${n}@people.test` }))
        const run = await undone.upload(people(count, 'Hal'))
        const path = `${undone.path()}/imports/${run._id}/undo`
        expect((await ask('POST', path)).status).toBe(202)
        expect((await finishedRun(ask, undone.path())).undo).toMatchObject({
          status: 'done',
          restored: count,
        })
        return ids
      },
    },
  }
}
