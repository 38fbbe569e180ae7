import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// The HTML of a mail as a reader sees it: what is folded, and what is loaded.

const running = useService({ CRM_SECRETS_KEY: 'the key of these tests which is long enough' })
const browser = useBrowser()

const asked: IncomingHttpHeaders[] = []
const images = createServer((req, res) => {
  asked.push(req.headers)
  res.setHeader('Content-Type', 'image/svg+xml')
  res.end('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="300"></svg>')
})
beforeAll(async () => {
  images.listen(0, '127.0.0.1')
  await once(images, 'listening')
})
afterAll(() => {
  images.close()
  images.closeAllConnections()
})

const htmlMail = (html: string, headers: string[] = []) => ({
  text: html,
  headers: ['MIME-Version: 1.0', 'Content-Type: text/html; charset=utf-8', ...headers],
})

test('images of another server are loaded when the reader asks for them, without the address of the page', async () => {
  const inbox = await makeMailInbox(running, { transport: 'none' })
  const { port } = images.address() as AddressInfo
  const image = `<img src="http://127.0.0.1:${port}/a.svg" alt="Our lamps">`
  const { conversationId } = await inbox.receive(htmlMail(`<p>Look:</p>${image}`))
  const { page } = await openConsole(browser, `${running.url}/console/c/${conversationId}`)
  await signIn(page, inbox.owner.email)
  const frame = page.frameLocator('iframe[title="Mail"]')
  await frame.getByText('Look:').waitFor()
  await frame.getByAltText('Our lamps').waitFor({ state: 'attached' })
  expect(asked).toEqual([])
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Show images' }).press('Enter')
  await expect.poll(() => asked.length).toBe(1)
  expect(asked[0]?.referer).toBeUndefined()
  const heightOf = async () => (await frame.getByAltText('Our lamps').boundingBox())?.height
  await expect.poll(heightOf).toBe(300)
  await page.getByRole('button', { name: 'Show images' }).waitFor({ state: 'hidden' })
  // It is asked for each mail and at each visit.
  await page.reload()
  await page.getByRole('button', { name: 'Show images' }).waitFor()
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
