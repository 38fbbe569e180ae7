import { expect, test } from 'vitest'
import { deMore } from '../../../console/src/strings/de-more.ts'
import { en } from '../../../console/src/strings/en.ts'
import { more } from '../../../console/src/strings/more.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// Labels are renamed and removed in all conversations; the conversations are checked at the service.

const running = useService()
const browser = useBrowser()
const { labels: texts, settings } = more

/** More conversations with the label than one request changes, in two spellings. */
const many = 105

async function openLabels() {
  const owner = await registerTenant(running.url)
  const { token } = owner
  const ask = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => {
    const response = await call(running.url, {
      method,
      path: `/api/v1/${path}`,
      token,
      ...(body && { body }),
    })
    if (response.status > 201) throw new Error(JSON.stringify(response.body))
    return response.body
  }
  const inboxId = (await ask('GET', 'inboxes')).data[0]._id
  const customerId = (await ask('POST', 'customers', { firstName: 'Grace' })).data._id
  const labelled = (labels: readonly string[]) =>
    ask('POST', 'conversations', { subject: 'A lamp', customerId, inboxId, labels })
  await Promise.all(Array.from({ length: many }, (_, index) => labelled([index % 3 ? 'vip' : 'VIP'])))
  const both = (await labelled(['vip', 'Gold'])).data._id as string
  await ask('PUT', `conversations/${both}`, { status: 'closed' })
  const countOf = async (label: string) =>
    (await ask('GET', `conversations?limit=1&label=${encodeURIComponent(label)}`)).pagination.total as number
  const { page, complaints } = await openConsole(browser, `${running.url}/console/settings/labels`)
  await signIn(page, owner.email)
  const open = (label: string) => page.getByRole('button', { name: texts.change(label) }).click()
  const dialog = page.getByRole('dialog')
  return { owner, ask, both, countOf, page, complaints, open, dialog }
}

test('a label is renamed into another one by keys, taken back, and removed', async () => {
  const { ask, both, countOf, page, complaints, open, dialog } = await openLabels()
  await page.getByRole('link', { name: texts.list(String(many + 1), 'vip') }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await open('vip')
  const name = dialog.getByLabel(texts.name)
  await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('vip')
  await name.fill('gold')
  await dialog.getByText(texts.joins('Gold', '1')).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await countOf('vip')).toBe(many + 1)

  await open('vip')
  await name.fill('gold')
  await page.keyboard.press('Enter')
  await page.getByText(more.bulk.done(many + 1, 0)).waitFor()
  await page.getByRole('link', { name: texts.list(String(many + 1), 'gold') }).waitFor()
  expect([await countOf('vip'), await countOf('gold')]).toEqual([0, many + 1])

  await page.getByRole('button', { name: en.actions.undo }).click()
  await page.getByText(en.actions.undone).waitFor()
  expect([await countOf('vip'), await countOf('gold')]).toEqual([many + 1, 1])
  expect((await ask('GET', `conversations/${both}`)).data.labels.toSorted()).toEqual(['Gold', 'vip'])

  await open('vip')
  await dialog.getByText(texts.removeHint(String(many + 1))).waitFor()
  await dialog.getByRole('button', { name: texts.remove }).click()
  expect(await countOf('vip')).toBe(many + 1)
  await dialog.getByRole('button', { name: texts.removeNow }).click()
  await page.getByRole('link', { name: texts.list(String(many + 1), 'vip') }).waitFor({ state: 'detached' })
  expect(await countOf('vip')).toBe(0)
  expect(complaints).toEqual([])

  // The number leads to all conversations of the label, a closed one too.
  await page.getByRole('link', { name: texts.list('1', 'Gold') }).click()
  await page.getByText('A lamp').waitFor()
})

test('a change that loses the network, or that somebody stops, goes on where it was', async () => {
  const { countOf, page, open, dialog } = await openLabels()
  const bulk = '**/api/v1/conversations/bulk'
  await page.getByRole('link', { name: texts.list(String(many + 1), 'vip') }).waitFor()
  let requests = 0
  await page.route(bulk, async (route) => {
    requests += 1
    if (requests === 1) await route.continue()
    else await route.abort()
  })
  await open('vip')
  await dialog.getByLabel(texts.name).fill('Έξυπνο')
  await dialog.getByRole('button', { name: texts.rename }).click()
  await dialog.getByRole('alert').waitFor()
  expect(await countOf('Έξυπνο')).toBe(100)
  await page.unroute(bulk)

  // The person who stops during the last page has it finished, and no other page begins.
  await dialog.getByLabel(texts.name).fill('Έξυπνο')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  expect([await countOf('vip'), await countOf('Έξυπνο')]).toEqual([0, many + 1])

  await page.route(bulk, async (route) => {
    await dialog.getByRole('button', { name: texts.stop }).click()
    await route.continue()
  })
  await open('Έξυπνο')
  await dialog.getByRole('button', { name: texts.remove }).click()
  await dialog.getByRole('button', { name: texts.removeNow }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await countOf('Έξυπνο')).toBe(many + 1 - 100)
})

test('the screen speaks German, fits a phone, and says how a label begins', async () => {
  const owner = await registerTenant(running.url)
  for (const width of [360, 1024]) {
    const options = { locale: 'de-DE', viewport: { width, height: 740 } }
    const { page } = await openConsole(browser, `${running.url}/console/settings/labels`, options)
    await page.getByLabel('E-Mail').fill(owner.email)
    await page.getByLabel('Passwort').fill(password)
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await page.getByText(deMore.labels.noneHint).waitFor()
    const fits = await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')
    expect([await violationsOf(page), fits]).toEqual([[], true])
    await page.context().close()
  }
  expect(deMore.settings.names.labels).not.toBe(settings.names.labels)
})
