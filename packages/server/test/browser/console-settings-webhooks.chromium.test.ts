import { expect, test } from 'vitest'
import { deMore } from '../../../console/src/strings/de-more.ts'
import { more } from '../../../console/src/strings/more.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { makeCertificate, startReceiver } from '../support/https-receiver.ts'
import { startService } from '../support/start-service.ts'
import { useShared } from '../support/use-shared.ts'
import { openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// An admin connects a server: it gets signed events, and the screen shows what became of each.

const texts = more.webhooks
const browser = useBrowser()
/** The status that the receiver sends. */
let status = 200
const world = useShared(
  async () => {
    const certificate = await makeCertificate()
    const receiver = await startReceiver(certificate, (_req, res) =>
      res.writeHead(status).end('a secret page'),
    )
    const running = await startService({ CRM_WEBHOOK_CA_FILE: certificate.caFile })
    return { certificate, receiver, running }
  },
  async ({ certificate, receiver, running }) => {
    await running.stop()
    await receiver.close()
    certificate.remove()
  },
)

async function openWebhooks(names: readonly string[] = []) {
  status = 200
  const { url } = world.running
  const owner = await registerTenant(url)
  const ask = async (method: string, path: string, body?: object) => {
    const response = await call(url, { method, path: `/api/v1${path}`, token: owner.token, body })
    expect(response.body.error).toBeUndefined()
    return response.body.data
  }
  for (const name of names)
    await ask('POST', '/webhooks', { name, url: world.receiver.url, events: ['customer.created'] })
  const { page, complaints } = await openConsole(browser, `${url}/console/settings/webhooks`)
  await signIn(page, owner.email)
  const stored = async () => (await ask('GET', '/webhooks')).webhooks
  return { owner, ask, page, complaints, stored, dialog: page.getByRole('dialog') }
}

test('a webhook is made, its secret is shown once, and a test shows the request and the status', async () => {
  const { page, complaints, stored, dialog } = await openWebhooks()
  await page.getByText(texts.none).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: texts.new }).click()
  expect(await dialog.getByRole('button', { name: texts.create }).isDisabled()).toBe(true)
  await dialog.getByLabel(texts.name).fill('Shop')
  await dialog.getByLabel(texts.url).fill('http://shop.example')
  await dialog.getByRole('checkbox', { name: 'customer.created' }).check()
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: texts.create }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel(texts.url).fill(world.receiver.url)
  await dialog.getByRole('button', { name: texts.all }).click()
  expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(30)
  await dialog.getByRole('button', { name: texts.noEvents }).click()
  await dialog.getByRole('checkbox', { name: 'customer.created' }).check()
  await dialog.getByRole('button', { name: texts.create }).click()
  const secret = await dialog.getByLabel(texts.secretHint).inputValue()
  expect(secret).toMatch(/^whsec_/)
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: texts.stored }).click()
  await page.getByRole('heading', { name: 'Shop' }).waitFor()
  expect(await page.content()).not.toContain(secret)
  expect(await stored()).toMatchObject([{ name: 'Shop', events: ['customer.created'] }])

  await page.getByRole('button', { name: texts.test }).click()
  await dialog.getByText(texts.statusCode(200)).waitFor()
  await dialog.getByText(`POST ${world.receiver.url}`).waitFor()
  await dialog.getByText(/webhook-id: evt_/).waitFor()
  expect(await dialog.textContent()).not.toContain('a secret page')
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('cell', { name: 'webhook.test', exact: true }).waitFor()
  await page.getByText(texts.states.healthy, { exact: true }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('a delivery that failed says why, is delivered again, and the list follows it', async () => {
  const { ask, page, dialog } = await openWebhooks(['Shop'])
  const [webhook] = (await ask('GET', '/webhooks')).webhooks
  await ask('PUT', `/webhooks/${webhook._id}`, { retryPolicy: { maxRetries: 0 } })
  status = 500
  await ask('POST', '/customers', { firstName: 'Ada' })
  await page.getByRole('link', { name: 'Shop' }).click()
  const refused = page.getByRole('cell', { name: `${texts.statusCode(500)}. ${texts.errors.STATUS}` })
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: texts.refresh }).click()
      return refused.count()
    })
    .toBe(1)
  await page.getByLabel(texts.show).selectOption('success')
  await page.getByText(texts.deliveriesNone).waitFor()
  await page.getByLabel(texts.show).selectOption('failed')
  status = 200
  await page.getByRole('button', { name: texts.details('customer.created') }).click()
  await dialog.getByText(texts.bodyHint).waitFor()
  await dialog.getByText(`POST ${world.receiver.url}`).waitFor()
  await dialog.getByText('"firstName": "Ada"').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: texts.again }).click()
  await page.getByText(texts.planAgain('customer.created')).waitFor()
  await page.getByLabel(texts.show).selectOption('all')
  await page.getByRole('cell', { name: texts.statusCode(200), exact: true }).waitFor()
  expect(await refused.count()).toBe(1)
})

test('events that a paused webhook missed are counted, and delivered when somebody says so', async () => {
  const { ask, page } = await openWebhooks(['Shop'])
  const [{ _id }] = (await ask('GET', '/webhooks')).webhooks
  await ask('PUT', `/webhooks/${_id}`, { isActive: false })
  await ask('POST', '/customers', { firstName: 'Ada' })
  await ask('POST', '/customers', { firstName: 'Bob' })
  await ask('PUT', `/webhooks/${_id}`, { isActive: true })
  await page.getByRole('link', { name: 'Shop' }).click()
  await page.getByRole('button', { name: texts.recovery.find }).click()
  await page.getByText(texts.recovery.found(2)).waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect(await ask('GET', `/webhooks/${_id}/logs`)).toMatchObject({ logs: [] })
  await page.getByRole('button', { name: texts.recovery.deliver(2) }).click()
  const delivered = page.getByRole('cell', { name: texts.statusCode(200), exact: true })
  await expect.poll(() => delivered.count()).toBe(2)
  await page.getByRole('button', { name: texts.recovery.find }).click()
  await page.getByText(texts.recovery.none).waitFor()
})

test('a webhook is changed, paused, resumed, gets a new secret and is deleted', async () => {
  const { page, complaints, stored, dialog } = await openWebhooks(['Shop', 'Mirror'])
  await page.getByRole('link', { name: 'Mirror' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Shop' }).click()
  await page.getByRole('button', { name: texts.edit }).click()
  await dialog.getByLabel(texts.name).fill('Store')
  await dialog.getByRole('checkbox', { name: 'message.sent' }).check()
  await dialog.getByText(texts.more).click()
  await dialog.getByLabel(texts.headers).fill('Authorization')
  await dialog.getByText(texts.headersWrong).waitFor()
  expect(await dialog.getByRole('button', { name: more.settings.save }).isDisabled()).toBe(true)
  await dialog.getByLabel(texts.headers).fill('Authorization: Bearer A\nX-Shop: 7')
  await dialog.getByLabel(texts.retries).fill('5')
  await dialog.getByLabel(texts.strategy).selectOption('linear')
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: more.settings.save }).click()
  await page.getByText(texts.saved('Store')).waitFor()
  const named = async (name: string) => (await stored()).find((one: { name: string }) => one.name === name)
  expect((await named('Store')).events.toSorted()).toEqual(['customer.created', 'message.sent'])
  expect(await named('Store')).toMatchObject({
    headers: { Authorization: '••••', 'X-Shop': '••••' },
    retryPolicy: { maxRetries: 5, backoffStrategy: 'linear' },
  })
  // A line with the mask keeps its value, and a removed line removes its header.
  await page.getByRole('button', { name: texts.edit }).click()
  await dialog.getByText(texts.more).click()
  await dialog.getByLabel(texts.headers).fill('Authorization: ••••')
  await dialog.getByRole('button', { name: more.settings.save }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await named('Store')).headers).toEqual({ Authorization: '••••' })

  await page.getByRole('button', { name: texts.pause }).click()
  await page.getByText(texts.reasons.manual).waitFor()
  expect((await named('Store')).isActive).toBe(false)
  await page.getByRole('button', { name: texts.resume }).click()
  await page.getByText(texts.states.healthy, { exact: true }).waitFor()
  expect((await named('Store')).isActive).toBe(true)

  await page.getByRole('button', { name: texts.rotate }).click()
  await page.getByRole('button', { name: texts.rotateNow }).click()
  expect(await dialog.getByLabel(texts.secretHint).inputValue()).toMatch(/^whsec_/)
  await dialog.getByRole('button', { name: texts.stored }).click()
  await page.getByText(/^The former secret signs too/).waitFor()
  // The next one is asked about again.
  await page.getByRole('button', { name: texts.rotate, exact: true }).waitFor()

  await page.getByRole('button', { name: texts.delete }).click()
  await page.getByRole('button', { name: texts.deleteNow }).click()
  await page.getByText(texts.deleted('Store')).waitFor()
  await page.getByRole('link', { name: 'Mirror' }).waitFor()
  expect((await stored()).map(({ name }: { name: string }) => name)).toEqual(['Mirror'])
  await page.goto(`${world.running.url}/console/settings/webhooks/whk_1`)
  await page.getByText(texts.notFound).waitFor()
  expect(complaints).toEqual([])
})

test('the webhooks speak German on a phone, with dark colours too', async () => {
  const { owner, ask } = await openWebhooks(['Shop'])
  const [{ _id }] = (await ask('GET', '/webhooks')).webhooks
  await ask('POST', `/webhooks/${_id}/test`)
  const german = deMore.webhooks
  for (const colorScheme of ['light', 'dark'] as const) {
    const options = { colorScheme, locale: 'de-DE', viewport: { width: 360, height: 740 } }
    const address = `${world.running.url}/console/settings/webhooks`
    const { page } = await openConsole(browser, address, options)
    const check = async () => {
      const fits = await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')
      expect([await violationsOf(page), fits]).toEqual([[], true])
    }
    await page.getByLabel('E-Mail').fill(owner.email)
    await page.getByLabel('Passwort').fill(password)
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await page.getByRole('link', { name: 'Shop' }).waitFor()
    await check()
    await page.getByRole('button', { name: german.new }).click()
    await check()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Shop' }).click()
    await page.getByRole('button', { name: german.details('webhook.test') }).click()
    await page.getByText(german.bodyHint).waitFor()
    await check()
    await page.context().close()
  }
})
