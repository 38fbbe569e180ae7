import type { Request, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import {
  openConsole,
  signIn,
  violationsOf,
  watchTab,
  write,
  writeAsCustomer,
} from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

async function openConversation() {
  const tenant = await registerTenant(running.url)
  const colleague = await addColleague(running, { tenantId: tenant.tenant._id, role: 'agent' })
  const texts = { subject: 'A broken lamp', content: 'The lamp does not switch on.' }
  const id = await writeAsCustomer(running.url, tenant.token, texts)
  const address = `${running.url}/console/inbox/open/-/-/${id}`
  const { page } = await openConsole(browser, address)
  await signIn(page, tenant.email)
  await page.getByRole('log').getByText(texts.content).waitFor()
  return { ...tenant, colleague, id, address, page }
}

test('the counts of the views follow every change in every tab, and no request asks for them', async () => {
  const { page, token, address } = await openConversation()
  const asked: string[] = []
  page.context().on('request', (request: Request) => {
    if (request.url().includes('/conversations/counts')) asked.push(request.url())
  })
  const views = (tab: typeof page) => tab.getByRole('navigation', { name: 'Views' })
  await views(page).getByText('1 conversations, 0 unread').first().waitFor({ state: 'attached' })
  const second = await watchTab(await page.context().newPage(), address)
  await writeAsCustomer(running.url, token, { subject: 'An invoice', content: 'Where is it?' })
  for (const tab of [page, second.page])
    await views(tab)
      .getByRole('link', { name: /^Open.*2 conversations/ })
      .waitFor()
  expect(asked).toEqual([])
})

test('a tab that opens later shows the counts and the colleagues who came before', async () => {
  const { page, colleague, id, address } = await openConversation()
  const body = { state: 'viewing' }
  const path = `/api/v1/conversations/${id}/presence`
  await call(running.url, { method: 'PUT', path, token: colleague.token, body })
  await page.getByText('agent is looking').waitFor()
  const second = await watchTab(await page.context().newPage(), address)
  await second.page.getByText('agent is looking').waitFor()
  await second.page.getByRole('link', { name: /^Open.*1 conversations/ }).waitFor()
})

test('a colleague sees that somebody looks, replies and leaves, by one request for each change', async () => {
  const { page, colleague, id } = await openConversation()
  const path = `/api/v1/conversations/${id}/presence`
  const reported: string[] = []
  page.on('request', (request: Request) => {
    if (request.url().endsWith('/presence')) reported.push(request.postData() ?? '')
  })
  const others = async () => {
    const body = { state: 'viewing' }
    const response = await call(running.url, { method: 'PUT', path, token: colleague.token, body })
    return response.body.data.map(({ state }: { state: string }) => state)
  }
  await expect.poll(others).toEqual(['viewing'])
  await page.getByText('agent is looking').waitFor()
  await page.getByRole('textbox', { name: 'New message' }).pressSequentially('It is on its way')
  await expect.poll(others).toEqual(['replying'])
  await page.keyboard.press('Escape')
  await expect.poll(others).toEqual(['viewing'])
  await page.getByRole('link', { name: /^Closed/ }).click()
  await expect.poll(others).toEqual([])
  expect(reported).toEqual(['replying', 'viewing', 'none'].map((state) => JSON.stringify({ state })))
})

test('a conversation that its reader has read in another window is read in this one too', async () => {
  const { page, token, colleague, id } = await openConversation()
  await page.getByRole('link', { name: /^Mine/ }).click()
  await page.getByRole('link', { name: /^Open/ }).click()
  await write(running.url, colleague.token, { id, content: 'Hello?', direction: 'inbound' })
  const row = page.getByRole('link', { name: /A broken lamp/ })
  await row.getByText('1 unread').waitFor({ state: 'attached' })
  const body = { seq: 2 }
  await call(running.url, { method: 'POST', path: `/api/v1/conversations/${id}/read`, token, body })
  await row.getByText('1 unread').waitFor({ state: 'detached' })
})

test('a draft survives a reload, and stands in a second browser, which follows each change', async () => {
  const { page, token, email, id, address } = await openConversation()
  const field = (tab: typeof page) => tab.getByRole('textbox', { name: 'New message' })
  await field(page).fill('It is on its way')
  const path = `/api/v1/conversations/${id}/draft`
  const stored = async () => (await call(running.url, { path, token })).body.data?.content
  await expect.poll(stored).toBe('It is on its way')
  await page.reload()
  await expect.poll(() => field(page).inputValue()).toBe('It is on its way')
  const other = await openConsole(browser, address)
  await signIn(other.page, email)
  await expect.poll(() => field(other.page).inputValue()).toBe('It is on its way')
  await field(page).fill('It is on its way to you')
  await expect.poll(() => field(other.page).inputValue()).toBe('It is on its way to you')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(() => field(other.page).inputValue()).toBe('')
  await expect.poll(stored).toBeUndefined()
})

test('a text that was typed while the draft changed elsewhere is kept, and its author chooses', async () => {
  const { page, token, id } = await openConversation()
  const path = `/api/v1/conversations/${id}/draft`
  const field = page.getByRole('textbox', { name: 'New message' })
  // Without the live events the page does not learn of the other window.
  await page.route('**/drafts?**', (route: Route) => route.abort())
  await field.fill('Here')
  await call(running.url, { method: 'PUT', path, token, body: { content: 'There' } })
  await page.getByText('You have changed this draft in another window:').waitFor()
  await page.getByText('There', { exact: true }).waitFor()
  expect(await field.inputValue()).toBe('Here')
  await page.getByRole('button', { name: 'Keep what stands here' }).click()
  const stored = async () => (await call(running.url, { path, token })).body.data?.content
  await expect.poll(stored).toBe('Here')
})

test('a draft of a program is listed with its text, and a person sends it', async () => {
  const { page, token, id } = await openConversation()
  const key = await createKey(running.url, token, ['read:conversations', 'write:conversations'])
  const path = `/api/v1/conversations/${id}/draft`
  await call(running.url, { method: 'PUT', path, token: key, body: { content: 'Try another socket.' } })
  const proposal = page.getByRole('region', { name: /^Draft of/ })
  await proposal.getByText('Try another socket.').waitFor()
  await proposal.getByRole('button', { name: 'Send this draft' }).click()
  await page.getByRole('log').getByText('Try another socket.').waitFor()
  await proposal.waitFor({ state: 'detached' })
})

test('a draft of a program is corrected in the field behind what stands there, or discarded by a second press', async () => {
  const { page, token, id } = await openConversation()
  const key = await createKey(running.url, token, ['read:conversations', 'write:conversations'])
  const path = `/api/v1/conversations/${id}/draft`
  const propose = (content: string) =>
    call(running.url, { method: 'PUT', path, token: key, body: { content } })
  const stored = async () => (await call(running.url, { path: `${path}s`, token })).body.data
  const field = page.getByRole('textbox', { name: 'New message' })
  const proposal = page.getByRole('region', { name: /^Draft of/ })
  await propose('Try another socket.')
  await proposal.getByRole('button', { name: 'Edit in the field' }).click()
  await expect.poll(() => field.inputValue()).toBe('Try another socket.')
  await proposal.waitFor({ state: 'detached' })
  await propose('Or another lamp.')
  await proposal.getByRole('button', { name: 'Edit in the field' }).click()
  await expect.poll(() => field.inputValue()).toBe('Try another socket.\n\nOr another lamp.')
  await propose('Buy a candle.')
  await proposal.getByRole('button', { name: 'Discard' }).click()
  // A press that comes too soon belongs to a double click.
  const press = async () => {
    const second = proposal.getByRole('button', { name: 'Delete this reply for good' })
    await second.click({ timeout: 1_000 }).catch(() => undefined)
    return proposal.count()
  }
  await expect.poll(press, { interval: 1_000 }).toBe(0)
  await expect.poll(stored).toMatchObject([{ content: 'Try another socket.\n\nOr another lamp.' }])
  await field.press('Control+Enter')
  await page.getByRole('log').getByText('Or another lamp.').waitFor()
  const sent = async () =>
    (await call(running.url, { path: `/api/v1/conversations/${id}/messages`, token })).body.data.at(-1)
  await expect.poll(sent).toMatchObject({ sender: { type: 'user' }, draftedBy: { type: 'api' } })
})

test('a file of a draft is sent with its message', async () => {
  const { page, token, id } = await openConversation()
  const path = `/api/v1/conversations/${id}/draft`
  const files = async () => (await call(running.url, { path, token })).body.data?.attachments.length
  await page.getByLabel('Attach files').setInputFiles({
    name: 'lamp.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('A lamp'),
  })
  await expect.poll(files).toBe(1)
  await page.getByRole('textbox', { name: 'New message' }).fill('See the file')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('log').getByText('Stored, nobody sends it').waitFor()
  await page.getByRole('log').getByText('lamp.txt').waitFor()
})

test('a reply can be taken back before it is sent, and then nothing was sent', async () => {
  const { page, token, id } = await openConversation()
  const field = page.getByRole('textbox', { name: 'New message' })
  await field.fill('Too early')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const waiting = page.getByRole('region', { name: 'Waiting to be sent' })
  await waiting.getByText('Too early').waitFor()
  expect(await field.inputValue()).toBe('')
  await waiting.getByRole('button', { name: 'Undo' }).click()
  await waiting.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('Too early')
  const { body } = await call(running.url, { path: `/api/v1/conversations/${id}/draft`, token })
  expect(body.data).toMatchObject({ content: 'Too early', sendAt: null })
})

test('a reply whose tab is closed while it waits is sent by the service, once', async () => {
  const { page, token, id } = await openConversation()
  await page.getByRole('textbox', { name: 'New message' }).fill('On its way')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('region', { name: 'Waiting to be sent' }).waitFor()
  await page.context().close()
  const path = `/api/v1/conversations/${id}/messages`
  const contents = async () =>
    (await call(running.url, { path, token })).body.data.map(({ content }: { content: string }) => content)
  await expect.poll(contents).toEqual(['The lamp does not switch on.', 'On its way'])
})

test('a conversation that a colleague deletes says so at once, and the text for it can be copied', async () => {
  const { page, colleague, id } = await openConversation()
  await page.getByRole('textbox', { name: 'New message' }).fill('It is on its way')
  const path = `/api/v1/conversations/${id}`
  expect((await call(running.url, { method: 'DELETE', path, token: colleague.token })).status).toBe(200)
  await page.getByText('This conversation does not exist').waitFor()
  const kept = page.getByRole('textbox', { name: 'Your text, which nobody has got' })
  expect(await kept.inputValue()).toBe('It is on its way')
  expect(await kept.getAttribute('readonly')).not.toBeNull()
  expect(await page.getByRole('button', { name: 'Send', exact: true }).count()).toBe(0)
  expect(await violationsOf(page)).toEqual([])
})

test('a conversation that a colleague assigns to me stands in my list as unread as it is', async () => {
  const { token, email, user } = await registerTenant(running.url)
  const { page } = await openConsole(browser, `${running.url}/console/inbox/mine`)
  await signIn(page, email)
  await page.getByText('Nothing is assigned to you').waitFor()
  const id = await writeAsCustomer(running.url, token, { subject: 'A broken lamp', content: 'It is dark.' })
  await write(running.url, token, { id, content: 'Still dark.', direction: 'inbound' })
  const path = `/api/v1/conversations/${id}`
  const unread = { method: 'POST', path: `${path}/unread`, token, body: {} }
  expect((await call(running.url, unread)).status).toBe(200)
  await page.reload()
  await page.getByText('Nothing is assigned to you').waitFor()
  await call(running.url, { method: 'PUT', path, token, body: { assignedTo: user._id } })
  await page.getByRole('link', { name: /unread.*A broken lamp/s }).waitFor()
})
