import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'
import { joinAs, openConsole, signIn, violationsOf, watchTab } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// The HTML of a mail as a reader sees it: what is folded, and what is loaded.

const running = useService({ CRM_SECRETS_KEY: 'the key of these tests which is long enough' })
const browser = useBrowser()

const asked: { url: string | undefined; headers: IncomingHttpHeaders }[] = []
const images = createServer((req, res) => {
  asked.push({ url: req.url, headers: req.headers })
  res.setHeader('Content-Type', 'image/svg+xml')
  // Each showing is a request.
  res.setHeader('Cache-Control', 'no-store')
  res.end('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="300"></svg>')
})
beforeAll(async () => {
  images.listen(0, '127.0.0.1')
  await once(images, 'listening')
})
// A test of a browser may run again.
beforeEach(() => {
  asked.length = 0
})
afterAll(() => {
  images.close()
  images.closeAllConnections()
})

const htmlMail = (html: string, headers: string[] = []) => ({
  text: html,
  headers: ['MIME-Version: 1.0', 'Content-Type: text/html; charset=utf-8', ...headers],
})

/** A mail with an image of another server. `isProven`: a believed mail server says who has sent it. */
function imageMail(name: string, { from = 'Ada <ada@example.com>', isProven = true } = {}) {
  const { port } = images.address() as AddressInfo
  const image = `<img src="http://127.0.0.1:${port}/${name}.svg" alt="Lamps of ${name}">`
  const proof = 'Authentication-Results: mx.acme.test; dmarc=pass header.from=example.com'
  return { from, ...htmlMail(`<p>Look at ${name}:</p>${image}`, isProven ? [proof] : []) }
}

const askedFor = (name: string) => asked.filter(({ url }) => url === `/${name}.svg`).length

test('images of another server are loaded when the reader asks for them, without the address of the page', async () => {
  const inbox = await makeMailInbox(running, { transport: 'none' })
  const { conversationId } = await inbox.receive(imageMail('one', { isProven: false }))
  const { page } = await openConsole(browser, `${running.url}/console/c/${conversationId}`)
  await signIn(page, inbox.owner.email)
  const frame = page.frameLocator('iframe[title="Mail"]')
  await frame.getByText('Look at one:').waitFor()
  await frame.getByAltText('Lamps of one').waitFor({ state: 'attached' })
  const show = page.getByRole('button', { name: 'Show images', exact: true })
  await show.waitFor()
  expect(askedFor('one')).toBe(0)
  expect(await violationsOf(page)).toEqual([])
  // Anybody may have written the address of this sender.
  expect(await page.getByRole('button', { name: /Always show images/ }).count()).toBe(0)
  await show.press('Enter')
  await expect.poll(() => askedFor('one')).toBe(1)
  expect(asked[0]?.headers.referer).toBeUndefined()
  const heightOf = async () => (await frame.getByAltText('Lamps of one').boundingBox())?.height
  await expect.poll(heightOf).toBe(300)
  await show.waitFor({ state: 'hidden' })
  // It is asked for each mail and at each visit.
  await page.reload()
  await show.waitFor()
})

test('images of a proven sender are shown by themselves in this inbox, until that is taken back', async () => {
  const inbox = await makeMailInbox(running, { transport: 'none' })
  const ada = await inbox.receive(imageMail('first'))
  const { page } = await openConsole(browser, `${running.url}/console/c/${ada['conversationId']}`)
  await signIn(page, inbox.owner.email)
  await page.getByRole('button', { name: 'Always show images of ada@example.com' }).press('Enter')
  await expect.poll(() => askedFor('first')).toBeGreaterThan(0)
  const remembered = page.getByText('Images of ada@example.com are shown in this inbox.')
  await remembered.waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await violationsOf(page)).toEqual([])
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  await page.setViewportSize({ width: 1440, height: 900 })

  const shown = async (name: string, fields: object = {}) => {
    const { conversationId } = await inbox.receive(imageMail(name, fields))
    await page.goto(`${running.url}/console/c/${conversationId}`)
    await page.frameLocator('iframe[title="Mail"]').getByText(`Look at ${name}:`).waitFor()
  }
  await shown('second', { from: 'ADA <Ada@Example.com>' })
  await expect.poll(() => askedFor('second')).toBeGreaterThan(0)
  await shown('forged', { isProven: false })
  await page.getByText('The sender of this mail is not proven').waitFor()
  await page.getByRole('button', { name: 'Show images', exact: true }).waitFor()
  await shown('other', { from: 'Bob <bob@example.com>' })
  await page.getByRole('button', { name: 'Always show images of bob@example.com' }).waitFor()
  // The browser keeps no address: the next person at it learns of no customer.
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('ada@example.com')

  // It belongs to the inbox of the conversation.
  const otherInbox = (await inbox.ask('POST', '/api/v1/inboxes', { name: 'Other' })).body.data
  const third = await inbox.receive(imageMail('third'))
  const path = `/api/v1/conversations/${third['conversationId']}`
  expect((await inbox.ask('PUT', path, { inboxId: otherInbox._id })).status).toBe(200)
  await page.goto(`${running.url}/console/c/${third['conversationId']}`)
  await page.getByRole('button', { name: 'Always show images of ada@example.com' }).waitFor()

  expect(['forged', 'other', 'third'].map(askedFor)).toEqual([0, 0, 0])

  asked.length = 0
  await page.goto(`${running.url}/console/c/${ada['conversationId']}`)
  await expect.poll(() => askedFor('first')).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Do not show them any more' }).press('Enter')
  const show = page.getByRole('button', { name: 'Show images', exact: true })
  await show.waitFor()
  asked.length = 0
  await page.reload()
  await show.waitFor()
  await page.frameLocator('iframe[title="Mail"]').getByText('Look at first:').waitFor()
  expect(asked).toEqual([])
})

test('a choice for a sender is that of one person, and comes to other tabs and browsers', async () => {
  const inbox = await makeMailInbox(running, { transport: 'none' })
  const { conversationId } = await inbox.receive(imageMail('shared'))
  const address = `${running.url}/console/c/${conversationId}`
  const { page } = await openConsole(browser, address)
  await signIn(page, inbox.owner.email)
  const always = { name: 'Always show images of ada@example.com' }
  await page.getByRole('button', always).waitFor()
  const { page: second } = await watchTab(await page.context().newPage(), address)
  await second.getByRole('button', always).click()
  await page.getByText('Images of ada@example.com are shown in this inbox.').waitFor()
  await expect.poll(() => askedFor('shared')).toBeGreaterThan(1)

  const { page: elsewhere } = await openConsole(browser, address)
  await signIn(elsewhere, inbox.owner.email)
  await elsewhere.getByText('Images of ada@example.com are shown in this inbox.').waitFor()
  await elsewhere.context().close()

  const colleague = await joinAs(running.url, inbox.owner.token, 'agent')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await signIn(page, colleague)
  asked.length = 0
  await page.goto(address)
  await page.getByRole('button', always).waitFor()
  await page.frameLocator('iframe[title="Mail"]').getByText('Look at shared:').waitFor()
  expect(asked).toEqual([])
})

test('a quotation in HTML is folded, and opens with its words by the keyboard', async () => {
  const inbox = await makeMailInbox(running)
  const question = 'Which lamp is it, and where do you live, and since when is it broken?'
  const { conversationId } = await inbox.receive({ text: 'The lamp in our hall is broken' })
  const { body } = await inbox.reply(conversationId, { content: question })
  const replied = [`In-Reply-To: <${body.data.email.messageId}>`]
  const html = `<p>The blue one.</p><div>On Monday the shop wrote:</div><blockquote><p>${question}</p></blockquote>`
  await inbox.receive(htmlMail(html, replied))
  const { page } = await openConsole(browser, `${running.url}/console/c/${conversationId}`)
  await signIn(page, inbox.owner.email)
  const frame = page.frameLocator('iframe[title="Mail"]')
  await frame.getByText('The blue one.').waitFor()
  expect(await frame.getByText(question).isVisible()).toBe(false)
  await frame.getByText('Show quoted text').press('Enter')
  await frame.getByText(question).waitFor()
})

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A mail with a picture that its HTML shows, as a mail program writes one with a screenshot. */
const pictureMail = () => ({
  text: [
    '--rel',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>The shop shows this:</p><img src="cid:shot@example.com" alt="The screen">',
    '--rel',
    'Content-Type: image/png; name="a name of a screenshot that is as long as those of the phones of today are.png"',
    'Content-Disposition: inline',
    'Content-ID: <shot@example.com>',
    'Content-Transfer-Encoding: base64',
    '',
    picture,
    '--rel--',
    '',
  ].join('\r\n'),
  headers: ['MIME-Version: 1.0', 'Content-Type: multipart/related; boundary=rel'],
})

test('a picture inside a mail is shown in its place without a request of the mail, and once', async () => {
  const inbox = await makeMailInbox(running, { transport: 'none' })
  const { conversationId } = await inbox.receive(pictureMail())
  const { page, complaints } = await openConsole(browser, `${running.url}/console/c/${conversationId}`)
  await signIn(page, inbox.owner.email)
  const shown = page.frameLocator('iframe[title="Mail"]').getByAltText('The screen')
  // The words of an image that is not loaded are wider.
  await expect.poll(async () => (await shown.boundingBox())?.width).toBe(1)
  const file = page.getByRole('button', { name: /a name of a screenshot/ })
  await file.waitFor()
  expect(await file.locator('img').count()).toBe(0)
  const edgeOf = async (selector: string) => {
    const box = await page.locator(selector).boundingBox()
    return (box?.x ?? 0) + (box?.width ?? 0)
  }
  expect(await edgeOf('.message-files button')).toBeLessThanOrEqual(await edgeOf('.message'))
  expect(complaints).toEqual([])
})

test('a mail that is higher than the window is opened at its beginning, and a short one at the end of the thread', async () => {
  const inbox = await makeMailInbox(running, { transport: 'none' })
  const lines = Array.from({ length: 80 }, (_, at) => `<p>Line ${at}</p>`).join('')
  const long = await inbox.receive(htmlMail(lines))
  const { page } = await openConsole(browser, `${running.url}/console/c/${long['conversationId']}`)
  await signIn(page, inbox.owner.email)
  const thread = page.locator('.thread-scroll')
  const heightOf = async () => (await page.locator('iframe[title="Mail"]').boundingBox())?.height ?? 0
  await expect.poll(heightOf).toBeGreaterThan(1_500)
  const topOf = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? -1
  await expect.poll(() => topOf('.message-head')).toBeGreaterThan(await topOf('.thread-scroll'))
  expect(await page.getByRole('button', { name: 'Jump to the newest message' }).count()).toBe(0)

  await thread.hover()
  await page.mouse.wheel(0, 100_000)
  await inbox.reply(long['conversationId'], { content: 'A short reply.' })
  const reply = page.getByRole('log').getByText('A short reply.')
  await reply.waitFor()
  const endOf = async (box: typeof thread) => {
    const place = await box.boundingBox()
    return (place?.y ?? 0) + (place?.height ?? 0)
  }
  await expect.poll(() => endOf(reply)).toBeLessThan(await endOf(thread))
})
