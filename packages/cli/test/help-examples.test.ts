import { randomUUID } from 'node:crypto'
import { mkdirSync, openAsBlob, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { requestExamples } from '@crmkit/core'
import { PackageWriter } from '@crmkit/core/package-folder'
import { signStandardWebhook, signWebhookBody } from '@crmkit/core/signing'
import { Crm } from '@crmkit/sdk'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { dumpOf } from '../../../examples/chatwoot-emulator/src/dump-of.ts'
import { startEmulator as startChatwoot } from '../../../examples/chatwoot-emulator/src/start-emulator.ts'
import { startEmulator as startIntercom } from '../../../examples/intercom-emulator/src/start-emulator.ts'
import { startEmulator as startZendesk } from '../../../examples/zendesk-emulator/src/start-emulator.ts'
import { type Emulator, startEmulator } from '../../../examples/zoho-emulator/src/start-emulator.ts'
import { zipOf } from '../../server/test/support/zip-of.ts'
import { type CommandDescription, describeCommands } from '../src/describe-commands.ts'
import { createProgram } from '../src/program.ts'
import { atSuiteEnd } from './support/at-suite-end.ts'
import { profilesPath } from './support/profiles.ts'
import { startServer } from './support/real-server.ts'
import { hasPseudoTerminal, type Machine, makeMachine } from './support/run-crm.ts'

const atEnd = atSuiteEnd()

// Runs the examples of every help text unchanged against a real server, on a terminal and in a pipe. The tests come
// from the command tree, so a new command without an example, or with a broken one, fails here.

const password = 'correct horse battery'
const tree = await describeCommands(createProgram('0.0.0'))
const commands = allOf(tree)

function allOf(command: CommandDescription): CommandDescription[] {
  return [command, ...command.commands.flatMap(allOf)]
}

/** The exit codes of examples that do not end with 0. */
const expectedCodes: Readonly<Record<string, number>> = {
  // Nothing listens at the address of the webhook, or of the receiver.
  'crm webhooks test': 1,
  'crm webhooks trigger': 1,
  // Uploaded files do not change by themselves.
  'crm integrations auto-sync': 5,
  // The server knows no app at the provider.
  'crm inboxes email sign-in': 5,
  // The message of the example is no failed e-mail.
  'crm messages send-again': 5,
}

let zoho: Emulator
let zendesk: Awaited<ReturnType<typeof startZendesk>>
let chatwoot: Awaited<ReturnType<typeof startChatwoot>>
let intercom: Awaited<ReturnType<typeof startIntercom>>
let baseUrl: string
let owner: { crm: Crm; profile: object; key: string }

beforeAll(async () => {
  zoho = await startEmulator()
  atEnd(() => zoho.close())
  zendesk = await startZendesk({ tickets: 2 })
  atEnd(() => zendesk.close())
  chatwoot = await startChatwoot({ conversations: 2 })
  atEnd(() => chatwoot.close())
  intercom = await startIntercom({ conversations: 2 })
  atEnd(() => intercom.close())
  baseUrl = await startServer(atEnd, {
    CRM_CONNECTOR_HOSTS: zoho.host,
    CRM_ZOHO_ACCOUNTS_SERVER: zoho.url,
    CRM_ZOHO_CLIENT_ID: zoho.clientId,
    CRM_ZOHO_CLIENT_SECRET: zoho.clientSecret,
  })
  const registered = await register('ada@acme.test')
  const { accessToken } = registered
  const crm = new Crm({ baseUrl, accessToken })
  const { key } = await crm.apiKeys.create({
    name: 'world',
    permissions: ['read:customers', 'write:customers'],
  })
  owner = { crm, key, profile: profileOf(registered) }
})

function register(email: string) {
  return new Crm({ baseUrl }).auth.register({ tenantName: 'Acme', email, password })
}

/** A tenant of its own for an example. A cancellation needs a request. */
async function registerFor(example: string) {
  const registered = await register(newEmail())
  const crm = new Crm({ baseUrl, accessToken: registered.accessToken })
  if (example.startsWith('crm privacy cancel')) await crm.privacy.requestDeletion({})
  return registered
}

function profileOf({ accessToken, refreshToken }: { accessToken: string; refreshToken: string }): object {
  const expiresAt = new Date(Date.now() + 800_000).toISOString()
  return { baseUrl, email: 'ada@acme.test', session: { accessToken, refreshToken, expiresAt } }
}

/** A machine with the profiles and files that the examples use. */
async function makeWorld(example: string): Promise<Machine> {
  const machine = makeMachine(atEnd)
  // An example that ends a session gets its own tenant, and so do sample data, which a tenant has once, and the doctor, which
  // checks all webhooks.
  const needsOwnTenant =
    /crm (logout|password|profiles delete|doctor|tenant add-sample-data|privacy (delete|cancel))/.test(
      example,
    )
  const own = needsOwnTenant ? profileOf(await registerFor(example)) : owner.profile
  const isSignedIn = !/crm (init|login|accept-invite|password-reset)/.test(example)
  const profiles = isSignedIn ? { default: own, ci: own } : {}
  mkdirSync(join(machine.configHome, 'crmkit'), { recursive: true, mode: 0o700 })
  writeFileSync(profilesPath(machine), JSON.stringify({ version: 1, current: 'default', profiles }), {
    mode: 0o600,
  })
  const files = {
    'secret.txt': password,
    'new.txt': 'another horse battery\n',
    'key.txt': owner.key,
    'zoho.token': `${zoho.oauth.newRefreshToken()}\n`,
    'reply.md': 'It is **on** its way.\n',
    'photo.png': 'a photo',
    'contacts.csv': 'firstName,email\nAda,ada@example.com\n',
    'export.zip': zipOf({ 'contacts.csv': 'firstName,email\nAda,ada@example.com\n' }),
    'customers.json': example.includes('put-many')
      ? '[{"source":"shop","id":"1","firstName":"Ada"}]'
      : '[{"firstName":"Ada"},{"email":"grace@example.com"}]',
    'shop.secret': `${webhookSecret}\n`,
    'chatwoot.sql': dumpOf(chatwoot.account),
    ...(await savedDelivery()),
    ...(example.includes('reset.token') ? { 'reset.token': await resetLink() } : {}),
    ...(example.includes('invite.token') ? { 'invite.token': (await invited()).inviteToken } : {}),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(machine.directory, name), text)
  if (example.includes('imports load')) await writePackage(join(machine.directory, 'from-zendesk'))
  // A later pass needs a first one.
  if (example.includes(' --sync'))
    await machine.runInShell(await madeReal(example.replace(' --sync', '')), { env: envOf(example) })
  return machine
}

/** The link of a mail, as the server of a developer keeps it. */
async function resetLink(): Promise<string> {
  const email = newEmail()
  await register(email)
  await new Crm({ baseUrl }).auth.requestPasswordReset({ email })
  let link = ''
  await expect
    .poll(async () => {
      const { data } = (await (await fetch(`${baseUrl}/dev/mail.json`)).json()) as {
        data: { envelope: { to: string[] }; raw: string }[]
      }
      const mail = data.find(({ envelope }) => envelope.to.includes(email))
      link =
        /http\S+#token=[\w.-]+/.exec(mail?.raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=') ?? '')?.[0] ??
        ''
      return link
    })
    .not.toBe('')
  return link
}

const webhookSecret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`

/** A delivery as a receiver saved it. */
async function savedDelivery(): Promise<Record<string, string>> {
  const body = JSON.stringify({ id: 'evt_1', event: 'customer.created', data: { _id: 'cus_1' } })
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = await signStandardWebhook({ id: 'evt_1', timestamp, body }, webhookSecret)
  const headers = [
    'webhook-id: evt_1',
    `webhook-timestamp: ${timestamp}`,
    `webhook-signature: ${signature}`,
  ].join('\n')
  const bodySignature = await signWebhookBody(body, webhookSecret)
  return { 'delivery.body': body, 'delivery.headers': headers, 'delivery.sha256': bodySignature }
}

/** Examples that run at the same time use fewer. */
const integrationsKept = 20

/** A tenant has at most 50 integrations: the oldest of earlier examples go. */
async function makeIntegration(provider: 'file' | 'package'): Promise<{ _id: string }> {
  const { integrations } = owner.crm
  const oldest = (await integrations.list()).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
  for (const { _id, syncStatus } of oldest.slice(0, -integrationsKept))
    if (syncStatus === 'idle') await integrations.delete(_id).catch(() => undefined)
  return integrations.create({ provider })
}

const makers: Readonly<Record<string, () => Promise<{ _id: string }>>> = {
  cus: () => owner.crm.customers.create({ firstName: 'Ada', tags: ['new'] }),
  con: async () => owner.crm.conversations.create({ subject: 'Help', inboxId: (await inbox())._id }),
  key: () => owner.crm.apiKeys.create({ name: 'example', permissions: ['read:customers'] }),
  int: () => makeIntegration('file'),
  whk: () => makeWebhook(),
  cal: () => owner.crm.calls.create({ to: '+15551234567' }),
  att: () => owner.crm.attachments.create(new File(['a photo'], 'photo of Ada.txt')),
  evt: async () => {
    await owner.crm.customers.create({ firstName: 'Ada' })
    const [event] = (await owner.crm.events.list({ types: 'customer.created' })).data
    return { _id: event?.id ?? 'none' }
  },
  inb: () => inbox(),
  msg: async () => {
    const { _id } = await owner.crm.conversations.create({ subject: 'Help', inboxId: (await inbox())._id })
    return owner.crm.messages.create(_id, { content: 'It is on its way.' })
  },
  rep: () => {
    const shortcut = `r${crypto.randomUUID()}`
    return owner.crm.cannedReplies.create({ shortcut, title: 'Greeting', content: 'Hello!' })
  },
  viw: () => owner.crm.views.create({ name: 'Urgent', filter: { priority: 'urgent' } }),
  usr: () => owner.crm.users.me(),
  mail: parkedMail,
  sup: suppressedAddress,
  prq: requested,
}

/** A row of the noun in the example, from the contract's example of its creation. */
async function createdRow(line: string): Promise<{ _id: string } | undefined> {
  const area = /\bcrm ([a-z-]+)/
    .exec(line)?.[1]
    ?.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const body = new Map(Object.entries(requestExamples)).get(`${area}.create`)
  const resource = new Map<string, object>(Object.entries(owner.crm)).get(area ?? '')
  if (body === undefined || resource === undefined) return undefined
  return Reflect.get(resource, 'create').call(resource, body)
}

/** The server refuses to delete the default inbox and the only owner, so such examples get new ones. */
/** Makes a customer and merges them into the target. */
async function mergedInto(target: string): Promise<{ _id: string }> {
  const source = await owner.crm.customers.create({ firstName: 'Source' })
  await owner.crm.customers.merge(target, { sourceId: source._id })
  return source
}

/** The target of an unmerge stands in the line already when its source is made. */
const unmerged = /customers unmerge (cus_\w{26}) /

/** Makes a conversation that was merged into another one of its customer. */
async function mergedConversation(): Promise<{ _id: string }> {
  const [target, source] = [await conversationOfAda(), await conversationOfAda()]
  await owner.crm.conversations.merge(target._id, { sourceId: source._id })
  return source
}

/** All are of one customer, so that any two of them can be merged. */
async function conversationOfAda(): Promise<{ _id: string }> {
  const [inbox] = (await owner.crm.inboxes.list()).data
  ada ??= owner.crm.customers.create({ firstName: 'Ada' })
  const { _id: customerId } = await ada
  return owner.crm.conversations.create({ subject: 'A lamp', inboxId: inbox?._id ?? '', customerId })
}
let ada: Promise<{ _id: string }> | undefined

const makersOf = (line: string): typeof makers => ({
  ...makers,
  ...(/conversations merge/.test(line) && { con: conversationOfAda }),
  ...(/conversations unmerge/.test(line) && { con: mergedConversation }),
  ...(unmerged.test(line) && { cus: () => mergedInto(unmerged.exec(line)?.[1] ?? '') }),
  ...(/messages delete/.test(line) && { msg: queuedMail }),
  ...(/inboxes email (?!token)/.test(line) && { inb: () => mailInbox(line) }),
  ...(/inboxes (update|delete|widget-secret|email token)/.test(line) && {
    inb: () => owner.crm.inboxes.create({ name: 'Sales', channel: 'chat' }),
  }),
  ...(/inboxes snippet/.test(line) && {
    inb: () => owner.crm.inboxes.create({ name: 'Web', channel: 'chat', widget: { enabled: true } }),
  }),
  ...(/imports (load|package|delete-package)|integrations hand-over/.test(line) && {
    int: () => makeIntegration('package'),
  }),
  ...(/imports count-sheet/.test(line) && { int: endedPackage }),
  ...(/users (invite|delete)/.test(line) && { usr: invited }),
  ...(/requests complete/.test(line) && { prq: approved }),
})

/** By the line of the example. */
const mailInboxes = new Map<string, string>()

/** An address belongs to one inbox, so the inbox of an earlier run of the same example is deleted. */
async function mailInbox(line: string): Promise<{ _id: string }> {
  const earlier = mailInboxes.get(line)
  if (earlier !== undefined) await owner.crm.inboxes.delete(earlier)
  const email = line.includes('email set') ? {} : { address: newEmail(), transport: 'relay' as const }
  const made = await owner.crm.inboxes.create({ name: 'Mail', channel: 'email', email })
  mailInboxes.set(line, made._id)
  return made
}

/** A reply that waits for its delay to end. */
async function queuedMail() {
  const { _id: inboxId } = await owner.crm.inboxes.create({
    name: 'Mail',
    email: { address: newEmail(), transport: 'relay', sendDelaySeconds: 60 },
  })
  const customer = await owner.crm.customers.create({ firstName: 'Ada', email: newEmail() })
  const { _id } = await owner.crm.conversations.create({ subject: 'Help', inboxId, customerId: customer._id })
  return owner.crm.messages.create(_id, { content: 'It is on its way.' })
}

async function requested(): Promise<{ _id: string }> {
  const { request } = await owner.crm.privacy.requestAccess({})
  return { _id: request.id }
}

async function approved(): Promise<{ _id: string }> {
  return owner.crm.privacyRequests.approve((await requested())._id, {})
}

function invited() {
  return owner.crm.users.create({ email: newEmail(), role: 'agent' })
}

function newEmail(): string {
  return `${randomUUID()}@acme.test`
}

async function makeWebhook(): Promise<{ _id: string }> {
  return owner.crm.webhooks.create({
    name: 'Shop',
    url: 'https://127.0.0.1:1234/hook',
    events: ['customer.created'],
    retryPolicy: { maxRetries: 0 },
  })
}

async function failedAttempt(webhookId: string): Promise<string> {
  await owner.crm.customers.create({ firstName: 'Ada' })
  return vi.waitFor(
    async () => {
      const [log] = (await owner.crm.webhooks.logs(webhookId, { status: 'failed' })).data
      if (!log) throw new Error('No attempt has failed yet')
      return log._id
    },
    { timeout: 60_000 },
  )
}

/** A mail without a sender, which a person has to look at. */
async function parkedMail(): Promise<{ _id: string }> {
  // An inbox of its own: examples that run at the same time would end each other's token.
  const { _id } = await owner.crm.inboxes.create({ name: 'Mail', channel: 'email' })
  const { inboundToken } = await owner.crm.inboxes.makeInboundToken(_id, { overlapSeconds: 0 })
  const response = await fetch(`${baseUrl}/api/v1/inbound/email/${inboundToken}`, {
    method: 'POST',
    headers: { 'Content-Type': 'message/rfc822' },
    body: `Subject: ${randomUUID()}\n\nHello`,
  })
  const { data } = (await response.json()) as { data: { _id: string } }
  await expect.poll(async () => (await owner.crm.mails.get(data._id)).status).toBe('parked')
  return data
}

/** The address of a customer that does not exist, as the report about a reply says. */
async function suppressedAddress(): Promise<{ _id: string }> {
  const { email } = await queuedMail()
  const address = email?.to[0]?.address ?? ''
  const { _id } = await owner.crm.inboxes.create({ name: 'Mail', channel: 'email' })
  const { inboundToken } = await owner.crm.inboxes.makeInboundToken(_id, { overlapSeconds: 0 })
  const report = [
    'From: mailer-daemon@acme.test',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b\nContent-Type: message/delivery-status\n',
    `Reporting-MTA: dns; acme.test\n\nFinal-Recipient: rfc822; ${address}\nAction: failed\nStatus: 5.1.1\n`,
    `--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: <${email?.messageId}>\n\n--b--`,
  ]
  await fetch(`${baseUrl}/api/v1/inbound/email/${inboundToken}`, {
    method: 'POST',
    headers: { 'Content-Type': 'message/rfc822' },
    body: report.join('\n'),
  })
  return vi.waitFor(
    async () => {
      const [found] = (await owner.crm.suppressedAddresses.list({ address })).data
      if (!found) throw new Error('The report is not processed yet')
      return found
    },
    { timeout: 60_000 },
  )
}

/** The default inbox: an inbox that another example deletes must stay empty. */
async function inbox(): Promise<{ _id: string }> {
  for await (const found of owner.crm.inboxes.list()) if (found.isDefault) return found
  throw new Error('There is no default inbox')
}

/** A package of one person. The account is new, because each belongs to one integration. */
async function writePackage(folder: string) {
  const writer = await PackageWriter.open(folder)
  await writer.write('people', { id: '1', name: 'Ada Lovelace', createdAt: '2024-05-01T00:00:00Z' })
  const source = { product: 'zendesk', account: randomUUID() }
  return writer.finish({ source, madeAt: '2026-01-01T00:00:00Z', complete: true })
}

/** An import of a package that has ended. */
async function endedPackage(): Promise<{ _id: string }> {
  const { imports } = owner.crm
  const made = await makeIntegration('package')
  const folder = join(makeMachine(atEnd).directory, 'package')
  const { files } = await writePackage(folder)
  for (const name of ['manifest.json', ...files.map((file) => file.name)])
    await imports.putPackageFile(made._id, name, await openAsBlob(join(folder, name)))
  await imports.start(made._id, {})
  await vi.waitFor(
    async () => {
      const { run } = await imports.status(made._id)
      if (run?.status !== 'completed') throw new Error(`The import is ${run?.status}`)
    },
    { timeout: 60_000 },
  )
  return made
}

async function withContacts(csv: string): Promise<string> {
  const { _id } = await makeIntegration('file')
  await owner.crm.imports.uploadFile(_id, new File([csv], 'contacts.csv'), { module: 'Contacts' })
  return _id
}

const contactsOnly = {
  importDeals: false,
  importTickets: false,
  importNotes: false,
  importActivities: false,
} as const

/** An import of one contact, and of one that has no name, address or number. */
async function endedImport(): Promise<{ integrationId: string; runId: string }> {
  const integrationId = await withContacts(
    'firstName,lastName,company,created\nAda,Lovelace,,2024-05-01\n,,Acme,2024-05-01\n',
  )
  const { runId } = await owner.crm.imports.start(integrationId, contactsOnly)
  await vi.waitFor(
    async () => {
      const { run } = await owner.crm.imports.status(integrationId)
      if (run?.status !== 'completed_with_errors') throw new Error(`The import is ${run?.status}`)
    },
    { timeout: 60_000 },
  )
  return { integrationId, runId }
}

/** An import that runs for a minute and writes nothing. */
async function longImport(): Promise<string> {
  const rows = Array.from({ length: 300_000 }, (_, index) => `Ada ${index}`)
  const integrationId = await withContacts(`firstName\n${rows.join('\n')}\n`)
  await owner.crm.imports.start(integrationId, { ...contactsOnly, dryRun: true })
  return integrationId
}

/** Replaces the address and the ids of an example by existing ones. */
async function madeReal(example: string): Promise<string> {
  let line = example
    .replaceAll('https://crm.example.com', baseUrl)
    .replaceAll('http://127.0.0.1:3000', baseUrl)
  // An attempt belongs to its webhook, and a test event cannot be sent again.
  if (line.includes('log_01J8ZQ4W7N')) {
    const { _id } = await makeWebhook()
    line = line.replace('whk_01J8ZQ4W7N', _id).replace('log_01J8ZQ4W7N', await failedAttempt(_id))
  }
  // A draft belongs to its conversation.
  if (line.includes('drf_01J8ZQ4W7N')) {
    const { _id } = await owner.crm.conversations.create({ subject: 'Help', inboxId: (await inbox())._id })
    const draft = await owner.crm.drafts.save(_id, { content: 'It is on its way.' })
    line = line.replace('con_01J8ZQ4W7N', _id).replace('drf_01J8ZQ4W7N', draft._id)
  }
  // A note belongs to its customer.
  if (line.includes('cno_01J8ZQ4W7N')) {
    const { _id } = await owner.crm.customers.create({ firstName: 'Ada' })
    const note = await owner.crm.customerNotes.create(_id, { content: 'Prefers calls.' })
    line = line.replace('cus_01J8ZQ4W7N', _id).replace('cno_01J8ZQ4W7N', note._id)
  }
  // An import belongs to its integration. One has ended with an error, the other one runs.
  if (line.includes('int_01J8ZQ4W9P')) {
    const { integrationId, runId } = await endedImport()
    line = line.replace('int_01J8ZQ4W9P', integrationId).replace('imp_01J8ZQ4W9P', runId)
  }
  // A file belongs to its integration.
  if (/imports (file|delete-file) /.test(line)) {
    const { _id } = await makeIntegration('file')
    const sheet = new File(['Our people\n\nid,firstName\n1,Ada\n'], 'people.csv')
    const file = await owner.crm.imports.uploadFile(_id, sheet, { module: 'Contacts' })
    line = line.replace('int_01J8ZQ4W7N', _id).replace('att_01J8ZQ4W7N', file._id)
  }
  if (line.includes('imports cancel')) line = line.replace('int_01J8ZQ4W7N', await longImport())
  for (const [placeholder, kind] of line.matchAll(/\b([a-z]{3,4})_01J8ZQ4W(7N|8P)/g)) {
    const made = await (makersOf(line)[kind ?? ''] ?? createdRow)(line)
    if (made) line = line.replace(placeholder, made._id)
  }
  // The team has a shortcut once.
  if (line.includes('canned-replies create'))
    line = line.replace(/--shortcut \S+/, `--shortcut r${crypto.randomUUID()}`)
  // An e-mail cannot be invited twice.
  if (line.includes('users create')) line = line.replace('grace@acme.test', newEmail())
  line = line.replace('http://127.0.0.1:4010', zoho.url)
  line = line
    .replace('https://app.chatwoot.com', chatwoot.url)
    .replace('https://api.intercom.io', intercom.url)
    .replace('https://acme.zendesk.com', zendesk.url)
    .replace(/(migrate .*)--email ada@acme.test/, `$1--email ${zendesk.email}`)
  // The server refuses to change the role of the only owner.
  return line.replace('--role agent', '--role owner')
}

const isEndless = (example: string) => /--follow|events tail|webhooks listen (?!--print-secret)/.test(example)
const envOf = (example: string) => ({
  CRM_PASSWORD: password,
  CRM_MIGRATE_TOKEN: /zendesk/.test(example) ? zendesk.apiToken : chatwoot.token,
  CRM_CONNECTOR_HOSTS: [zendesk.hosts, chatwoot.host, intercom.hosts].join(','),
})

describe('every command', () => {
  it.each(commands.map((command) => [command.path, command] as const))(
    'has help texts and an example: %s',
    (path, command) => {
      expect(command.description, path).not.toBe('')
      expect(command.examples.length, `examples of ${path}`).toBeGreaterThan(0)
      expect(command.examples.join('\n')).toContain(path === 'crm' ? 'crm ' : path)
      for (const { description, flags } of command.options) expect(description, flags).not.toBe('')
    },
  )
})

const lines = commands.flatMap(({ path, examples }) => examples.map((example) => ({ path, example })))

describe.concurrent('in a pipe', () => {
  it.each(lines.filter(({ example }) => !isEndless(example)))(
    'works as written: $example',
    async ({ path, example }) => {
      const machine = await makeWorld(example)
      const { code, stderr, stdout } = await machine.runInShell(await madeReal(example), {
        env: envOf(example),
      })
      expect({ code, stderr, stdout }).toMatchObject({ code: expectedCodes[path] ?? 0 })
      if (expectedCodes[path] === undefined) expect(stderr).not.toMatch(/^error:/m)
      expect(stdout).not.toContain('\u001b')
    },
    60_000,
  )
})

const endless = lines.filter(({ example }) => isEndless(example))

describe.concurrent('until Ctrl-C', () => {
  it.each(endless)(
    'runs as written: $example',
    async ({ example }) => {
      const machine = await makeWorld(example)
      const [, ...args] = (await madeReal(example)).split(' ')
      const { code, stderr } = await machine.run(args, { env: envOf(example), interrupt: 'output' })
      expect({ code, stderr }).toMatchObject({ code: 130 })
      expect(stderr).not.toMatch(/^error:/m)
    },
    60_000,
  )
})

const lastOfEach = commands.flatMap(({ path, examples }) => {
  const example = examples.findLast((one) => !isEndless(one) && !one.includes('=$('))
  return example === undefined ? [] : [{ path, example }]
})

describe.skipIf(!hasPseudoTerminal).concurrent('on a terminal', () => {
  it.each(lastOfEach)(
    'works as written: $example',
    async ({ path, example }) => {
      const machine = await makeWorld(example)
      const { code, screen } = await machine.runInShellTerminal(await madeReal(example), {
        env: envOf(example),
      })
      expect({ code, screen }).toMatchObject({ code: expectedCodes[path] ?? 0 })
      if (expectedCodes[path] === undefined) expect(screen).not.toMatch(/^error:/m)
    },
    60_000,
  )
})
