import { expect, test } from 'vitest'
import { deMore } from '../../../console/src/strings/de-more.ts'
import { more } from '../../../console/src/strings/more.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { makeCertificate } from '../support/https-receiver.ts'
import { startSmtpReceiver } from '../support/smtp-receiver.ts'
import { startService } from '../support/start-service.ts'
import { useShared } from '../support/use-shared.ts'
import { openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// An admin sees how mail comes and leaves, tries the servers, and makes the domain ready; and reads who changed what.

const browser = useBrowser()
const { inboxes: texts, inboxForms: forms, audit, settings } = more
const world = useShared(
  async () => {
    const certificate = await makeCertificate()
    const dns = await startDnsServer()
    const receiver = await startSmtpReceiver({ certificate, password: 'hunter2' })
    const trusted = { CRM_MAIL_CA_FILE: certificate.caFile }
    const running = await startService(trusted, { nameServers: [dns.address] })
    return { certificate, dns, receiver, running }
  },
  async ({ certificate, dns, receiver, running }) => {
    await running.stop()
    await receiver.stop()
    await dns.stop()
    certificate.remove()
  },
)

async function openSettings(section: string, domain: string) {
  const { url } = world.running
  const owner = await registerTenant(url)
  const ask = async (method: string, path: string, body?: object) => {
    const response = await call(url, { method, path, token: owner.token, ...(body && { body }) })
    expect(response.body.error).toBeUndefined()
    return response.body.data
  }
  const [{ _id: inboxId }] = await ask('GET', '/api/v1/inboxes')
  const smtp = { host: 'localhost', port: world.receiver.port, security: 'starttls', user: 'support' }
  const email = { address: `help@${domain}`, transport: 'smtp', smtp }
  await ask('PUT', `/api/v1/inboxes/${inboxId}`, { name: 'Support', email })
  await ask('PUT', `/api/v1/inboxes/${inboxId}/email-credentials`, { smtpPassword: 'hunter2' })
  const { page, complaints } = await openConsole(browser, `${url}/console/settings/${section}`)
  await signIn(page, owner.email)
  return { owner, ask, inboxId, page, complaints }
}

test('an inbox shows its ways, its servers are tried, and a mail arrives', async () => {
  const { owner, page, complaints } = await openSettings('inboxes', 'shop.example')
  await page.getByRole('cell', { name: texts.untried(texts.smtp('localhost')) }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Support', exact: true }).click()
  await page.getByRole('heading', { name: 'Support' }).waitFor()
  await page.getByRole('button', { name: texts.testNow }).click()
  await page.getByText(texts.testDone).waitFor()
  await page.getByText(`${texts.servers.smtp}: ${texts.steps.send}`).waitFor()
  expect(world.receiver.mails.some(({ to }) => to.includes(owner.email))).toBe(true)
  expect(await violationsOf(page)).toEqual([])

  world.receiver.behave({ recipient: () => 550 })
  await page.getByRole('button', { name: texts.testNow }).click()
  await page.getByText(texts.testFailed).waitFor()
  world.receiver.behave({})
  await page.getByText(`${texts.servers.smtp}: ${texts.steps.send} failed.`).waitFor()
  await page.goto(`${world.running.url}/console/settings/inboxes/inb_1`)
  await page.getByText(texts.notFound).waitFor()
  expect(complaints).toEqual([])
})

test('an inbox is made, gets people, a chat and mail servers by its forms, and is deleted', async () => {
  const { owner, ask, inboxId, page, complaints } = await openSettings('inboxes', 'lane.example')
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: settings.save })
  const closed = () => dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: forms.new }).click()
  await dialog.getByLabel(forms.name, { exact: true }).fill('Sales')
  await dialog.getByRole('group', { name: forms.members }).getByRole('checkbox').first().check()
  await dialog.getByLabel(forms.isAssigned).check()
  await dialog.getByLabel(forms.maxOpen).fill('5')
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: forms.create }).click()
  await page.getByRole('heading', { name: 'Sales' }).waitFor()
  const stored = async () => {
    const inboxes = await ask('GET', '/api/v1/inboxes')
    return inboxes.find(({ isDefault }: { isDefault: boolean }) => !isDefault)
  }
  expect(await stored()).toMatchObject({
    name: 'Sales',
    members: [owner.user._id],
    autoAssign: { enabled: true, onlyOnline: true, maxOpen: 5 },
  })

  await page.getByRole('button', { name: forms.editWidget }).click()
  await dialog.getByLabel(forms.widgetOn).check()
  await dialog.getByLabel(forms.greeting).fill('Ask us')
  await dialog.getByLabel(forms.askEmail).check()
  await dialog.getByLabel(forms.replyByMail).check()
  // The default inbox of the world sends mail.
  await dialog.getByLabel(forms.mailInbox).selectOption({ label: 'Support' })
  await dialog.getByLabel(forms.showTeam).check()
  await dialog.getByLabel(forms.origins).fill('https://lane.example/shop')
  expect(await violationsOf(page)).toEqual([])
  await save.click()
  // The path is refused, and the form keeps what was typed.
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel(forms.origins).fill('https://lane.example\nhttps://www.lane.example')
  await save.click()
  await closed()
  expect((await stored()).widget).toMatchObject({
    enabled: true,
    greeting: 'Ask us',
    showTeam: true,
    askEmail: true,
    replyByMail: { enabled: true, inboxId },
    allowedOrigins: ['https://lane.example', 'https://www.lane.example'],
  })

  await page.getByRole('button', { name: forms.editTexts }).click()
  await dialog.getByRole('button', { name: forms.ownTexts.add }).click()
  await dialog.getByRole('combobox', { name: forms.ownTexts.choose }).fill('not sent:')
  await page.keyboard.press('Enter')
  const failed = dialog.getByRole('textbox', { name: 'Not sent: {reason}' })
  expect(await failed.inputValue()).toBe('Not sent: {reason}')
  await expect.poll(() => failed.evaluate((field) => field.matches(':focus'))).toBe(true)
  await failed.fill('That failed, {name}: {reason}')
  await dialog.getByText(forms.ownTexts.unknown('{name}')).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await failed.fill('That failed: {reason}')
  await save.click()
  await closed()
  const widget = (await stored()).widget
  expect(widget).toMatchObject({ texts: { failed: 'That failed: {reason}' }, greeting: 'Ask us' })
  await page.getByRole('button', { name: forms.editTexts }).click()
  await dialog.getByRole('group', { name: 'Not sent: {reason}' }).getByRole('button').click()
  await save.click()
  await closed()
  expect((await stored()).widget).toEqual({ ...widget, texts: {} })

  await page.getByRole('button', { name: forms.editMail }).click()
  await dialog.getByLabel(forms.address).fill('sales@lane.example')
  await dialog.getByLabel(forms.sends).selectOption('smtp')
  const server = dialog.getByRole('group', { name: forms.sending.smtp })
  expect(await server.getByLabel(forms.server.host).inputValue()).toBe('smtp.lane.example')
  await server.getByLabel(forms.server.host).fill('localhost')
  await server.getByLabel(forms.server.port).fill(String(world.receiver.port))
  await server.getByLabel(forms.server.user).fill('support')
  await server.getByLabel(forms.server.password).fill('hunter2')
  await dialog.getByLabel(forms.isAutoReply).check()
  await dialog.getByLabel(forms.autoReply).fill('We have your mail.')
  expect(await violationsOf(page)).toEqual([])
  await save.click()
  await closed()
  expect((await stored()).email).toMatchObject({
    address: 'sales@lane.example',
    transport: 'smtp',
    hasSmtpPassword: true,
    autoReply: { enabled: true, content: 'We have your mail.' },
  })
  // The form is opened again and saved untouched: the password and all settings stay.
  const before = (await stored()).email
  await page.getByRole('button', { name: forms.editMail }).click()
  await dialog.getByText(forms.passwordStored).waitFor()
  await save.click()
  await closed()
  expect((await stored()).email).toEqual(before)
  await page.getByRole('button', { name: texts.testNow }).click()
  await page.getByText(texts.testDone).waitFor()

  await page.getByRole('button', { name: forms.makeDefault }).click()
  await page.getByText(forms.isDefault).waitFor()
  await page.getByRole('link', { name: texts.back }).click()
  const list = page.getByRole('region', { name: settings.names.inboxes })
  await list.getByRole('link', { name: 'Support', exact: true }).click()
  const remove = async () => {
    await page.getByRole('button', { name: forms.delete, exact: true }).click()
    await page.getByRole('button', { name: forms.deleteNow }).click()
  }
  await remove()
  // It still mails the replies of the chat.
  await page.getByRole('alert').waitFor()
  const [sales] = (await ask('GET', '/api/v1/inboxes')).filter(
    ({ name }: { name: string }) => name === 'Sales',
  )
  await ask('PUT', `/api/v1/inboxes/${sales._id}`, { widget: { enabled: true } })
  await remove()
  await page.getByText(forms.deleted('Support')).waitFor()
  await list.getByRole('link', { name: 'Sales', exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Support', exact: true }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('the records of a domain are shown with what is missing, and prove it when they are published', async () => {
  const { ask, inboxId, page, complaints } = await openSettings('inboxes', 'desk.example')
  await page.getByRole('link', { name: 'Support', exact: true }).click()
  await page.getByRole('button', { name: texts.makeDkim }).click()
  await page.getByText(texts.dkimDone).waitFor()
  await page.getByText(texts.recordsOpen('desk.example')).waitFor()
  const cells = page.getByRole('cell', { name: texts.missing })
  expect(await cells.count()).toBe(4)
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: texts.prove }).click()
  await page.getByText(texts.notProven).waitFor()

  for (const { name, value } of (await ask('GET', `/api/v1/inboxes/${inboxId}/dns`)).records)
    world.dns.records.set(name, [value])
  await page.getByRole('button', { name: texts.check }).click()
  // The server of this test has no public address, so nobody can say whether its record allows it.
  await page.getByText(texts.recordsUnknown('desk.example')).waitFor()
  await page.getByRole('button', { name: texts.prove }).click()
  await page.getByText(texts.proven).waitFor()
  await page.getByText(texts.fields.domainProvenAt).waitFor()
  expect((await ask('GET', `/api/v1/inboxes/${inboxId}`)).email.domainProvenAt).not.toBeNull()
  expect(complaints).toEqual([])
})

test('an owner sees what a retention would remove before it is saved', async () => {
  const { ask, page, complaints } = await openSettings('retention', 'kept.example')
  const { retention } = settings
  const months = page.getByLabel(retention.conversations)
  await months.fill('24')
  await page.getByRole('button', { name: retention.count }).click()
  await page.getByText(retention.preview('0', '0', '0.0')).waitFor()
  expect((await ask('GET', '/api/tenant')).retention.closedConversationMonths).toBeNull()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: settings.save }).click()
  await page.getByText(retention.saved).waitFor()
  const saved = { closedConversationMonths: 24, attachmentMonths: null }
  expect((await ask('GET', '/api/tenant')).retention).toEqual(saved)
  await page.reload()
  await expect.poll(() => months.inputValue()).toBe('24')
  await months.fill('')
  await page.getByRole('button', { name: retention.count }).click()
  await page.getByRole('button', { name: settings.save }).click()
  await expect
    .poll(async () => (await ask('GET', '/api/tenant')).retention.closedConversationMonths)
    .toBeNull()
  expect(complaints).toEqual([])
})

test('the audit log names who changed what, page by page', async () => {
  const { owner, ask, inboxId, page, complaints } = await openSettings('audit', 'log.example')
  const rows = page.getByRole('table').getByRole('row')
  await page.getByRole('cell', { name: 'inbox.updated' }).first().waitFor()
  await page.getByRole('cell', { name: 'inbox Support' }).first().waitFor()
  expect(await violationsOf(page)).toEqual([])
  for (let count = 0; count < 51; count++)
    await ask('PUT', `/api/v1/inboxes/${inboxId}`, { name: `Support ${count}` })
  await page.reload()
  await page.getByRole('button', { name: audit.older }).click()
  await expect.poll(() => rows.count()).toBeGreaterThan(52)
  await page.getByRole('button', { name: audit.older }).waitFor({ state: 'hidden' })
  const stored = (await ask('GET', '/api/tenant/audit-log?limit=100')).length
  // One row is the head.
  expect(await rows.count()).toBe(stored + 1)
  const [entry] = await ask('GET', '/api/tenant/audit-log?limit=1')
  expect(await rows.nth(1).getByRole('cell').allTextContents()).toEqual([
    expect.stringMatching(/\d/),
    `${owner.user.firstName} ${owner.user.lastName}`,
    'inbox.updated',
    'inbox Support 50',
    entry.changed.join(', '),
  ])
  expect(complaints).toEqual([])
})

test('inboxes and audit log speak German on a phone, with dark colours too', async () => {
  const { owner } = await openSettings('inboxes', 'german.example')
  for (const colorScheme of ['light', 'dark'] as const) {
    const options = { colorScheme, locale: 'de-DE', viewport: { width: 360, height: 740 } }
    const address = `${world.running.url}/console/settings/inboxes`
    const { page } = await openConsole(browser, address, options)
    const check = async () => {
      const fits = await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')
      expect([await violationsOf(page), fits]).toEqual([[], true])
    }
    await page.getByLabel('E-Mail').fill(owner.email)
    await page.getByLabel('Passwort').fill(password)
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await page.getByRole('link', { name: 'Support', exact: true }).click()
    await page.getByRole('button', { name: deMore.inboxes.check }).click()
    await page.getByText(deMore.inboxes.recordsOpen('german.example')).waitFor()
    await check()
    await page.getByRole('link', { name: deMore.settings.names.audit }).click()
    await page.getByRole('cell', { name: 'inbox.updated' }).first().waitFor()
    await check()
    await page.context().close()
  }
  expect(settings.names.audit).not.toBe(deMore.settings.names.audit)
})
