import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, password } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn } from './support/console-browser.ts'
import { hostileContents } from './support/hostile-contents.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

const hostileName = hostileContents[1] ?? ''
const short = (text: string) => text.slice(0, 100)

/** A team whose own names are hostile too. */
async function registerTeam(text: string) {
  // Another one for each try of a test: a person of two teams is asked for one of them.
  const email = `hostile-${randomUUID()}@example.com`
  const body = { tenantName: short(text), email, password, firstName: short(text), lastName: 'Owner' }
  const response = await call(running.url, { method: 'POST', path: '/api/auth/register', body })
  expect(response.status).toBe(201)
  const token: string = response.body.data.accessToken
  const post = async (path: string, fields: object): Promise<string> => {
    const made = await call(running.url, { method: 'POST', path: `/api/v1/${path}`, token, body: fields })
    expect([201, made.body]).toEqual([made.status, expect.anything()])
    return made.body.data._id
  }
  return { email, token, post }
}

type Team = Awaited<ReturnType<typeof registerTeam>>

/** A conversation with the text in everything that the console shows of it. */
async function store({ post, token }: Team, text: string): Promise<string> {
  const customerId = await post('customers', {
    firstName: short(text),
    lastName: 'Hopper',
    email: `grace${Math.random()}@example.com`,
    company: short(text),
    jobTitle: short(text),
    customFields: { [short(text).replaceAll(/[.$]/g, '')]: text },
  })
  const { body } = await call(running.url, { path: '/api/v1/inboxes', token })
  const id = await post('conversations', { subject: text, customerId, inboxId: body.data[0]._id })
  const messages = `conversations/${id}/messages`
  await post(messages, { content: text, direction: 'inbound' })
  await post(messages, { content: `Mail ${text}`, contentType: 'html', direction: 'inbound' })
  await post(messages, { content: text, contentType: 'markdown' })
  await post(messages, { content: text, type: 'note' })
  const form = { file: new File(['A lamp'], `${text.replaceAll('/', '')}.txt`, { type: 'text/plain' }) }
  const uploaded = await call(running.url, { method: 'POST', path: '/api/v1/attachments', token, form })
  expect(uploaded.status).toBe(201)
  await post(messages, { content: 'The file', attachments: [uploaded.body.data._id] })
  return id
}

/** In every frame of the page: the mark of a script that ran, and the elements that the texts would become. */
async function harmIn(page: Page): Promise<unknown[]> {
  const found = await Promise.all(
    page.frames().map((frame) =>
      frame.evaluate(`[
        ...(typeof window.pwned === 'undefined' ? [] : ['a script ran']),
        ...[...document.querySelectorAll('body *')].flatMap((one) => one.getAttributeNames()
          .filter((name) => name.startsWith('on') || /^\\s*(javascript|data:text)/i.test(one.getAttribute(name)))
          .map((name) => one.tagName + ' ' + name)),
        ...[...document.querySelectorAll('.panes, #mail')].flatMap((shown) =>
          [...shown.querySelectorAll('script, object, base, meta, link, form[action]')].map((one) => one.outerHTML)),
      ]`),
    ),
  )
  return found.flat()
}

/** The browser's own view of a title: a line break and the spaces around it are one space. */
function inTitle(text: string): string {
  return text.replace(/[\t\n\f\r ]+/g, ' ').trim()
}

test('no text that a customer stored runs or loads anything in the list, the thread, the customer, a notice or the title', async () => {
  const team = await registerTeam(hostileName)
  const ids: string[] = []
  for (const text of hostileContents) ids.push(await store(team, text))
  const { page, complaints } = await openConsole(browser, `${running.url}/console/`)
  page.on('dialog', (dialog) => complaints.push(dialog.message()))
  await signIn(page, team.email)
  for (const [index, text] of hostileContents.entries()) {
    // The list shows the newest ones alone.
    await page.evaluate(`history.pushState(null, '', '/console/inbox/open/-/-/${ids[index]}')`)
    await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`)
    await page.getByRole('heading', { name: text, exact: true, level: 1 }).waitFor()
    await page.getByRole('log').getByText(text, { exact: true }).first().waitFor()
    await page.locator('iframe[title="Mail"]').contentFrame().getByText('Mail').first().waitFor()
    await page.locator('.customer-head').getByText(short(text)).waitFor()
    await page.keyboard.press('i')
    await page
      .getByText(`Assigned to ${short(hostileName)} Owner`)
      .first()
      .waitFor()
    expect([text, await harmIn(page)]).toEqual([text, []])
    expect(await page.title()).toBe(`${inTitle(text)} · crmkit`)
  }
  expect(page.context().pages()).toHaveLength(1)
  expect(complaints).toEqual([])
})
