import { Crm } from '@crmkit/sdk'
import { beforeAll, describe, expect, it } from 'vitest'
import { atSuiteEnd } from './support/at-suite-end.ts'
import { startServer } from './support/real-server.ts'
import { hasPseudoTerminal, makeMachine } from './support/run-crm.ts'

// The lists that people work with, on terminals of three widths, against a real server.

const atEnd = atSuiteEnd()
const subject = 'The engine does not stop when the last card of the deck was read twice'
let environment: Record<string, string>
let conversationId: string

beforeAll(async () => {
  const baseUrl = await startServer(atEnd)
  const { accessToken } = await new Crm({ baseUrl }).auth.register({
    tenantName: 'Engines',
    email: 'ada@people.test',
    password: 'correct horse battery',
    firstName: 'Ada',
    lastName: 'Lovelace',
  })
  const crm = new Crm({ baseUrl, accessToken })
  const { user } = await crm.auth.me()
  const customer = await crm.customers.create({ firstName: 'Grace', lastName: 'Hopper' })
  const [inbox] = (await crm.inboxes.list()).data
  const conversation = await crm.conversations.create({
    subject,
    inboxId: inbox?._id ?? '',
    customerId: customer._id,
    assignedTo: user?._id ?? null,
    priority: 'urgent',
    labels: ['hardware', 'card reader'],
  })
  conversationId = conversation._id
  const permissions = [
    'read:customers',
    'read:conversations',
    'write:conversations',
    'webhook:manage',
  ] as const
  const { key } = await crm.apiKeys.create({ name: 'people', permissions: [...permissions] })
  environment = { CRM_BASE_URL: baseUrl, CRM_API_KEY: key }
})

const onTerminal = async (columns: number, args: readonly string[], env: Record<string, string> = {}) =>
  (await makeMachine().runInTerminal(args, { env: { ...environment, ...env }, columns })).screen

const plain = { NO_COLOR: '1' }

describe.skipIf(!hasPseudoTerminal)('crm conversations list on a terminal', () => {
  const screenOf = (columns: number) => onTerminal(columns, ['conversations', 'list'], plain)

  it('gives the subject more space on a wider terminal, and never cuts the id', async () => {
    const shown = await Promise.all([80, 120, 200].map(screenOf))
    const widths = shown.map((screen) => /The engine.*?(…|twice)/.exec(screen)?.[0].length ?? 0)
    expect(widths[0]).toBeGreaterThanOrEqual(24)
    expect(widths[1]).toBeGreaterThanOrEqual(40)
    expect(widths[2]).toBe(subject.length)
    for (const [index, screen] of shown.entries()) {
      expect(screen).toMatch(new RegExp(`${conversationId}\\s*$`, 'm'))
      for (const line of screen.split('\n').filter((one) => /Subject|engine/.test(one)))
        expect(line.trimEnd().length).toBeLessThanOrEqual([80, 120, 200][index] ?? 0)
    }
  })

  it('names the customer and the assignee, and shows every column at 200', async () => {
    expect(await screenOf(120)).toContain('Grace Hopper')
    const wide = await screenOf(200)
    expect(wide).toMatch(
      /^Subject +Customer +Status +Assigned to +Unread +Updated +Priority +Messages +Labels +Channel +Id/m,
    )
    expect(wide).toMatch(/Grace Hopper +open +Ada Lovelace/)
    expect(wide).not.toContain('too narrow')
  })

  it('colours what is urgent, and says it in words too', async () => {
    const screen = await onTerminal(200, ['conversations', 'list'])
    expect(screen).toContain('\u001b[31murgent\u001b[39m')
  })
})

describe.skipIf(!hasPseudoTerminal)('after a change', () => {
  it('people and inboxes have names, and a snooze of 4 hours says 4 hours', async () => {
    const screen = await onTerminal(120, ['conversations', 'snooze', conversationId, '--for', '4h'], plain)
    expect(screen).toMatch(/^Customer +Grace Hopper$/m)
    expect(screen).toMatch(/^Assigned to +Ada Lovelace$/m)
    expect(screen).not.toMatch(/inb_/)
    expect(screen).toMatch(/^Snoozed until +in 4h \(.*\d\d:\d\d\)$/m)
    expect(screen.trimEnd()).toMatch(new RegExp(`Id +${conversationId}$`))
  })

  it('a webhook that never delivered is not called healthy on a terminal', async () => {
    const create = ['webhooks', 'create', '--name', 'Shop', '--url', 'https://shop.example.com/hook']
    await makeMachine().run([...create, '--events', 'customer.created'], { env: environment })
    const screen = await onTerminal(160, ['webhooks', 'list'], plain)
    expect(screen).toContain('no delivery yet')
    const piped = await makeMachine().run(['webhooks', 'list'], { env: environment })
    expect(piped.stdout).toContain('healthy')
  })
})

it('a pipe has the same columns as before: ids first, no names, ISO times', async () => {
  const { stdout } = await makeMachine().run(['conversations', 'list'], { env: environment })
  const cells = stdout.trimEnd().split('\t')
  expect(cells[0]).toBe(conversationId)
  expect(cells[5]).toMatch(/^usr_/)
  expect(cells.at(-1)).toMatch(/^\d{4}-\d\d-\d\dT/)
})

describe.skipIf(!hasPseudoTerminal)('an error on a terminal', () => {
  it('is red at its first word, and plain with NO_COLOR', async () => {
    const args = ['conversations', 'get', 'con_unknown']
    expect(await onTerminal(80, args)).toContain('\u001b[31merror:\u001b[39m')
    expect(await onTerminal(80, args, plain)).toMatch(/^error: /m)
  })
})
