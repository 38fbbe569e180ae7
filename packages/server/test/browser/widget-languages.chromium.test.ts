import axe from 'axe-core'
import { expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { useWidget } from './support/use-widget.ts'
import { agentOf, makeInbox, newTab, pageWith } from './support/widget-browser.ts'

const world = useWidget()

/** The names of the files with texts that a page loads, without their hash. */
async function loadedTexts(html: string, locale: string, widget: object = {}) {
  const inbox = await makeInbox(world.service.url, widget)
  const context = await world.browser.newContext({ locale })
  const page = await context.newPage()
  const files: string[] = []
  page.on('request', (request) => {
    const [, name] = /\/widget\/\w+\.(\w+)\.json$/.exec(request.url()) ?? []
    if (name) files.push(name)
  })
  const visitor = await newTab(
    page,
    world.pages.add(pageWith({ url: world.service.url, key: inbox.key, html })),
  )
  await visitor.page.locator('crm-widget button').first().waitFor()
  return { files, ...visitor, inbox }
}

test.each([
  ['English', 'lang="en-GB"', 'de-DE', [], 'Open chat'],
  ['German', 'lang="de-AT"', 'fr-FR', ['de'], 'Chat öffnen'],
  ['a language without texts, in a French browser', 'lang="xx"', 'fr-FR', ['fr'], 'Ouvrir le chat'],
  ['no language, in a Japanese browser', '', 'ja-JP', ['ja'], 'チャットを開く'],
  ['a language without texts, in a browser with none either', 'lang="xx"', 'zu', [], 'Open chat'],
])('a page in %s loads the texts of one language at most', async (_, html, locale, files, name) => {
  const loaded = await loadedTexts(html, locale)
  await loaded.page.getByRole('button', { name, exact: true }).waitFor()
  expect(loaded.files).toEqual(files)
  expect(loaded.lines).toEqual([])
})

test('a page in Arabic without a direction has the whole chat in Arabic, from right to left', async () => {
  const { page, inbox } = await loadedTexts('lang="ar"', 'en')
  const bubble = page.getByRole('button', { name: 'فتح الدردشة' })
  expect((await bubble.boundingBox())?.x).toBeLessThan(40)
  await bubble.click()
  const chat = page.frameLocator('iframe[title="دردشة"]')
  const field = chat.getByRole('textbox', { name: 'رسالة', exact: true })
  await field.waitFor()
  const html = chat.locator('html')
  expect([await html.getAttribute('dir'), await html.getAttribute('lang')]).toEqual(['rtl', 'ar'])
  const type = async () => {
    await field.fill('مرحبا')
    return await field.inputValue()
  }
  await expect.poll(type).toBe('مرحبا')
  await chat.getByRole('button', { name: 'إرسال', exact: true }).click()
  await chat.locator('.message time').waitFor()
  await agentOf(world.service.url, inbox).reply('أهلا')
  await chat.getByText('أهلا').waitFor()
  const frame = page.frames().find((one) => one.url().includes('/widget/v1/frame'))
  if (!frame) throw new Error('the frame is there')
  await frame.evaluate(axe.source)
  const { violations } = await frame.evaluate<axe.AxeResults>('axe.run()')
  expect(violations.map(({ id }) => id)).toEqual([])
})

test('without the file of its language the chat is in English', async () => {
  const inbox = await makeInbox(world.service.url)
  const page = await (await world.browser.newContext()).newPage()
  await page.route(/\/widget\/\w+\.de\.json$/, (route) => route.abort())
  const address = world.pages.add(pageWith({ url: world.service.url, key: inbox.key, html: 'lang="de"' }))
  const visitor = await newTab(page, address)
  await visitor.open()
  await visitor.write('Hallo')
})

test('texts of the inbox replace those of every language, and stay texts', async () => {
  const texts = {
    openChat: 'Ask <b>us</b>',
    placeholder: 'Your question',
    send: '<img src=x onerror=alert(1)>',
  }
  for (const html of ['lang="en"', 'lang="de"']) {
    const { page } = await loadedTexts(html, 'en', { texts })
    await page.getByRole('button', { name: 'Ask <b>us</b>' }).click()
    const chat = page.frameLocator('iframe[title="Chat"]')
    await chat.getByPlaceholder('Your question').waitFor()
    await chat.getByRole('button', { name: '<img src=x onerror=alert(1)>' }).waitFor()
    expect(await chat.locator('img').count()).toBe(0)
  }
})

test('the files of the languages may be kept for a year, and an unknown one is not found', async () => {
  const { page } = await loadedTexts('lang="de"', 'en')
  const address = await page.evaluate<string>(
    `performance.getEntriesByType('resource').map(({ name }) => name).find((name) => name.endsWith('.de.json'))`,
  )
  const found = await fetch(address)
  expect([found.status, found.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  expect(found.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(found.headers.get('access-control-allow-origin')).toBe('*')
  expect((await fetch(address.replace('.de.', '.xx.'))).status).toBe(404)
  expect((await call(world.service.url, { path: '/widget/constructor' })).status).toBe(404)
})
