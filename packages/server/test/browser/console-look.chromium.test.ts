import type { Page, Request } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { call, password, registerTenant } from '../support/call.ts'
import { startProxy } from '../support/cuttable-proxy.ts'
import { useService } from '../support/use-service.ts'
import { joinAs, openConsole, signIn, watchTab, write, writeAsCustomer } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// A look at a conversation: what it asks for, and that nothing that it kept is old.

const running = useService()
const browser = useBrowser()

const logOf = (page: Page) => page.getByRole('log')
const rowOf = (page: Page, subject: string) => page.locator('a.row').filter({ hasText: subject })
const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'New message' })

/** Two conversations with an unread message each, in a list of which none is open. */
async function twoConversations(role = 'agent') {
  const { token } = await registerTenant(running.url)
  const email = await joinAs(running.url, token, role)
  const lamp = await writeAsCustomer(running.url, token, { subject: 'A lamp', content: 'It is dark.' })
  const chair = await writeAsCustomer(running.url, token, { subject: 'A chair', content: 'It creaks.' })
  const { page } = await openConsole(browser, `${running.url}/console/inbox/open`)
  await signIn(page, email)
  await rowOf(page, 'A chair').getByText('1 unread').waitFor({ state: 'attached' })
  return { page, token, email, lamp, chair, asked: follow(page) }
}

/** The requests about single conversations since the last call: method, path behind the id, query, and the body of a change. */
function follow(page: Page): () => string[] {
  const asked: string[] = []
  page.on('request', (request: Request) => {
    const { pathname, searchParams } = new URL(request.url())
    const [, path] = /\/api\/v1\/conversations\/(con_.*)/.exec(pathname) ?? []
    if (path === undefined) return
    const rest = path.replace(/^con_[^/]*/, '')
    asked.push(
      [request.method(), rest, searchParams.getAll('include').join(), request.postData()]
        .filter(Boolean)
        .join(' '),
    )
  })
  return () => asked.splice(0)
}

/** Resolves when the service has taken the report that this tab shows the conversation. */
function reported(page: Page, id: string, state = 'viewing') {
  return page.waitForResponse(
    (response) =>
      response.url().endsWith(`${id}/presence`) && response.request().postDataJSON().state === state,
  )
}

async function look(page: Page, subject: string, id: string): Promise<void> {
  const here = reported(page, id)
  await rowOf(page, subject).click()
  await here
}

test('a look takes two requests, one for everything and one that also marks as read, and so does the next look', async () => {
  const { page, lamp, chair, asked } = await twoConversations()
  await look(page, 'A lamp', lamp)
  await logOf(page).getByText('It is dark.').waitFor()
  await rowOf(page, 'A lamp').getByText('1 unread').waitFor({ state: 'detached' })
  expect(asked()).toEqual([
    'GET messages,activities,drafts,recipients',
    'PUT /presence {"state":"viewing","readSeq":1}',
  ])
  await look(page, 'A chair', chair)
  await logOf(page).getByText('It creaks.').waitFor()
  expect(asked().sort()).toEqual([
    'GET messages,activities,drafts,recipients',
    'PUT /presence {"state":"none"}',
    'PUT /presence {"state":"viewing","readSeq":1}',
  ])
  await look(page, 'A lamp', lamp)
  await logOf(page).getByText('It is dark.').waitFor()
  await page
    .getByText('By nobody')
    .or(page.getByText('In the chat'))
    .or(page.getByText('To '))
    .first()
    .waitFor()
  expect(asked().sort()).toEqual([
    'GET recipients',
    'PUT /presence {"state":"none"}',
    'PUT /presence {"state":"viewing"}',
  ])
})

test('a viewer asks for the messages and the changes alone', async () => {
  const { page, lamp, asked } = await twoConversations('viewer')
  await look(page, 'A lamp', lamp)
  await logOf(page).getByText('It is dark.').waitFor()
  expect(asked()).toEqual(['GET messages,activities', 'PUT /presence {"state":"viewing","readSeq":1}'])
})

test('a change that came while another conversation was shown is there at the next look, without a request for it', async () => {
  const { page, token, email, lamp, chair, asked } = await twoConversations()
  const login = { method: 'POST', path: '/api/auth/login', body: { email, password } } as const
  const own = (await call(running.url, login)).body.data.accessToken
  await look(page, 'A lamp', lamp)
  const sent = page.waitForResponse((response) => /drafts\/\w+\/send$/.test(response.url()))
  await fieldOf(page).fill('We send a new one.')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Send now' }).click()
  await sent
  await fieldOf(page).fill('Half a thou')
  await look(page, 'A chair', chair)
  const path = `/api/v1/conversations/${lamp}`
  await write(running.url, token, { id: lamp, content: 'Still dark!', direction: 'inbound' })
  await write(running.url, token, { id: lamp, content: 'Look at the fuse', type: 'note' })
  await call(running.url, { method: 'PUT', path, token, body: { subject: 'A lamp, again' } })
  const body = { content: 'Half a thought, from elsewhere' }
  const draft = { path: `${path}/draft`, token: own }
  await expect.poll(async () => (await call(running.url, draft)).body.data?.content).toBe('Half a thou')
  await call(running.url, { ...draft, method: 'PUT', body })
  await rowOf(page, 'A lamp, again').getByText('2 unread').waitFor({ state: 'attached' })
  asked()
  await look(page, 'A lamp, again', lamp)
  for (const text of ['It is dark.', 'We send a new one.', 'Still dark!', 'Look at the fuse'])
    expect(await logOf(page).getByText(text).count()).toBe(1)
  await expect.poll(() => fieldOf(page).inputValue()).toBe(body.content)
  expect(asked().filter((one) => one.startsWith('GET'))).toEqual(['GET activities,drafts,recipients'])
})

test('a look in one tab marks as read in another one', async () => {
  const { page, lamp } = await twoConversations()
  const other = await watchTab(await page.context().newPage(), `${running.url}/console/inbox/open`)
  await rowOf(other.page, 'A lamp').getByText('1 unread').waitFor({ state: 'attached' })
  await page.bringToFront()
  await look(page, 'A lamp', lamp)
  await rowOf(other.page, 'A lamp').getByText('1 unread').waitFor({ state: 'detached' })
})

test('a conversation that another window reads while the connection of a tab is cut is read in the tab when it is back', async () => {
  const { email, lamp } = await twoConversations()
  const proxy = await startProxy({ host: '127.0.0.1', port: Number(new URL(running.url).port) })
  onTestFinished(() => proxy.stop())
  const { page } = await openConsole(browser, `http://127.0.0.1:${proxy.port}/console/inbox/open`)
  await signIn(page, email)
  await rowOf(page, 'A lamp').getByText('1 unread').waitFor({ state: 'attached' })
  proxy.cut(Number.POSITIVE_INFINITY)
  await page.getByText('No connection.').waitFor()
  const body = { email, password }
  const { accessToken } = (await call(running.url, { method: 'POST', path: '/api/auth/login', body })).body
    .data
  const path = `/api/v1/conversations/${lamp}/read`
  expect((await call(running.url, { method: 'POST', path, token: accessToken, body: {} })).status).toBe(200)
  proxy.cut(0)
  await rowOf(page, 'A lamp').getByText('1 unread').waitFor({ state: 'detached' })
  await rowOf(page, 'A chair').getByText('1 unread').waitFor({ state: 'attached' })
})

test('without a connection a known conversation stays, and an unknown one is read when the connection is back', async () => {
  const { page, lamp, chair } = await twoConversations()
  await look(page, 'A lamp', lamp)
  await page.context().setOffline(true)
  await rowOf(page, 'A chair').click()
  await page.getByText('could not be loaded').first().waitFor()
  await rowOf(page, 'A lamp').click()
  await logOf(page).getByText('It is dark.').waitFor()
  await rowOf(page, 'A chair').click()
  await page.getByText('could not be loaded').first().waitFor()
  const here = reported(page, chair)
  await page.context().setOffline(false)
  await here
  await logOf(page).getByText('It creaks.').waitFor()
})

test('a look that the service cannot serve says so, and a second one brings everything', async () => {
  const { page, lamp } = await twoConversations()
  const isLook = /\/conversations\/con_\w+\?include=/
  await page.route(isLook, (route) =>
    route.fulfill({ status: 403, json: { success: false, error: 'Not now', code: 'FORBIDDEN' } }),
  )
  await rowOf(page, 'A lamp').click()
  await page.getByText('could not be loaded').first().waitFor()
  await page.unroute(isLook)
  const here = reported(page, lamp)
  await page.getByRole('button', { name: 'Try again' }).click()
  await here
  await logOf(page).getByText('It is dark.').waitFor()
})
