import { describe, expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, registerTenant } from '../support/call.ts'
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
import { useMount } from './support/use-mount.ts'

const running = useService()
const mount = useMount(running)
const browser = useBrowser()

async function tenantWith(subject = 'A broken lamp', content = 'The lamp does not switch on.') {
  const tenant = await registerTenant(running.url)
  const id = await writeAsCustomer(running.url, tenant.token, { subject, content })
  return { ...tenant, id, address: `${mount.base}/console/inbox/open/-/-/${id}` }
}

const messagesOf = async (token: string, id: string) =>
  (await call(running.url, { path: `/api/v1/conversations/${id}/messages`, token })).body.data

test('a person signs in at the address of a conversation, reads it, replies, and the reply is stored once', async () => {
  const { email, token, id, address } = await tenantWith()
  const { page, complaints } = await openConsole(browser, address)
  await signIn(page, email)
  const thread = page.getByRole('log', { name: 'Messages' })
  await thread.getByText('The lamp does not switch on.').waitFor()
  await page.getByRole('textbox', { name: 'New message' }).fill('We send you another one.')
  await page.keyboard.press('Control+Enter')
  await thread.getByText('Stored, nobody sends it').waitFor()
  const stored: { content: string }[] = await messagesOf(token, id)
  expect(stored.map(({ content }) => content)).toEqual([
    'The lamp does not switch on.',
    'We send you another one.',
  ])
  expect(complaints).toEqual([])
})

test('a wrong password is refused with a sentence, and the session of a reload is the same', async () => {
  const { email } = await tenantWith()
  const { page } = await openConsole(browser, `${mount.base}/`)
  expect(page.url()).toBe(`${mount.base}/console/`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill('not this one at all')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The e-mail or the password is wrong.').waitFor()
  await signIn(page, email)
  await page.reload()
  await page.getByRole('link', { name: /A broken lamp/ }).waitFor()
})

test('a message of the customer appears in the list and in the thread without a reload, also in a second tab', async () => {
  const { email, token, id, address } = await tenantWith()
  const { page } = await openConsole(browser, address)
  await signIn(page, email)
  await page.getByRole('log').getByText('The lamp does not switch on.').waitFor()
  const second = await watchTab(await page.context().newPage(), address)
  await second.page.getByRole('log').getByText('The lamp does not switch on.').waitFor()
  await write(running.url, token, { id, content: 'Is somebody there?', direction: 'inbound' })
  for (const tab of [page, second.page]) await tab.getByRole('log').getByText('Is somebody there?').waitFor()
  await writeAsCustomer(running.url, token, { subject: 'An invoice', content: 'Where is it?' })
  await page.getByRole('link', { name: /An invoice/ }).waitFor()
})

test('of all tabs of a browser one reads the stream, and another one goes on when it is closed', async () => {
  const { email, token, id, address } = await tenantWith()
  const first = await openConsole(browser, address)
  const context = first.page.context()
  const streams: string[] = []
  context.on('request', (request) => {
    if (request.url().includes('/events/stream')) streams.push(request.url())
  })
  await signIn(first.page, email)
  const second = await watchTab(await context.newPage(), address)
  await second.page.getByRole('log').getByText('The lamp does not switch on.').waitFor()
  await expect.poll(() => streams.length).toBe(1)
  await first.page.close()
  await expect.poll(() => streams.length).toBe(2)
  await write(running.url, token, { id, content: 'Still there?', direction: 'inbound' })
  await second.page.getByRole('log').getByText('Still there?').waitFor()
})

describe('a reply to a thread that a colleague has replied to', () => {
  test('is not sent until its writer has looked or decides to send anyway', async () => {
    const tenant = await tenantWith()
    const { email, token, id, address } = tenant
    const colleague = await addColleague(running, { tenantId: tenant.tenant._id, role: 'agent' })
    const { page } = await openConsole(browser, address)
    // Without the stream the page does not learn of the colleague's reply.
    await page.route('**/events/stream**', (route) => route.abort())
    await signIn(page, email)
    await page.getByRole('log').getByText('The lamp does not switch on.').waitFor()
    await write(running.url, colleague.token, { id, content: 'I take care of it.' })
    await page.getByRole('textbox', { name: 'New message' }).fill('Try another socket.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText(/wrote \d+ s ago: look first, or send anyway/).waitFor()
    expect(await messagesOf(token, id)).toHaveLength(2)
    await page.getByRole('button', { name: 'Send anyway' }).click()
    await page.getByRole('log').getByText('Stored, nobody sends it').waitFor()
    expect(await messagesOf(token, id)).toHaveLength(3)
  })
})

test('a message without a connection stays with its reason, and is sent by itself, once, when it is back', async () => {
  const { email, token, id, address } = await tenantWith()
  const { page } = await openConsole(browser, address)
  await signIn(page, email)
  await page.getByRole('log').getByText('The lamp does not switch on.').waitFor()
  await page.context().setOffline(true)
  await page.getByRole('textbox', { name: 'New message' }).fill('We send you another one.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('No connection.').waitFor()
  await page.getByText('Not sent.').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('log').getByText('Stored, nobody sends it').waitFor()
  await page.getByText('No connection.').waitFor({ state: 'hidden' })
  expect(await messagesOf(token, id)).toHaveLength(2)
})

test('a change that the service refuses is taken back, with the reason and the id of the request', async () => {
  const { email, address } = await tenantWith()
  const { page } = await openConsole(browser, address)
  await signIn(page, email)
  await page.getByRole('log').getByText('The lamp does not switch on.').waitFor()
  await page.route('**/api/v1/conversations/con_*', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({
          status: 409,
          headers: { 'x-request-id': 'req-of-the-refusal' },
          json: { success: false, error: 'Not in this state', code: 'INVALID_STATE' },
        })
      : route.continue(),
  )
  await page.keyboard.press('e')
  await page.getByText('The change was taken back').waitFor()
  await page.getByText('That is not possible as it is now').waitFor()
  await page.getByText('Details').click()
  await page.getByText('Not in this state Request req-of-the-refusal').waitFor()
  await page.getByRole('link', { name: /A broken lamp/ }).waitFor()
})

test('texts and mails of customers stay inert: no script runs, nothing is loaded, no link leaves unasked', async () => {
  const attack = '<img src=x onerror="window.top.pwned=1"><script>window.top.pwned=1</script>'
  const { email, token, address, id } = await tenantWith(attack, `${attack} javascript:alert(1)`)
  const { page, complaints } = await openConsole(browser, address)
  await signIn(page, email)
  await page.getByRole('log').getByText(`${attack} javascript:alert(1)`).waitFor()
  expect(await page.getByRole('log').locator('img, script').count()).toBe(0)
  expect(await page.getByRole('log').locator('a').count()).toBe(0)
  const mail = await writeAsCustomer(running.url, token, {
    subject: 'A newsletter',
    content: `<p>Our lamps</p><a href="javascript:top.pwned=1">click</a><img src="https://tracker.example/p.gif">${attack}`,
    contentType: 'html',
    customer: attack,
  })
  await page.goto(address.replace(id, mail))
  const frame = page.frameLocator('iframe[title="Mail"]')
  await frame.getByText('Our lamps').waitFor()
  await frame.getByText('click').click()
  expect(await page.evaluate('window.pwned')).toBeUndefined()
  expect(page.context().pages()).toHaveLength(1)
  expect(complaints).toEqual([])
})

test('a sign-out ends the session in every tab, and leaves no draft behind', async () => {
  const { email, address } = await tenantWith()
  const { page } = await openConsole(browser, address)
  await signIn(page, email)
  await page.getByRole('textbox', { name: 'New message' }).fill('Half a sentence')
  const second = await watchTab(await page.context().newPage(), address)
  await second.page.getByRole('textbox', { name: 'New message' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  for (const tab of [page, second.page]) await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toMatch(/Half a sentence|refreshToken/)
})

test('a page that an update has left without its files is loaded again once, with the half-written reply', async () => {
  const { email, address } = await tenantWith()
  const page = await (await browser.newContext()).newPage()
  // As after an update: the files that a page loads later have other names.
  const isGone = { value: true }
  await page.route('**/dialog-contents-*.js', (route) =>
    isGone.value ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await watchTab(page, address)
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await signIn(page, email)
  await page.getByRole('textbox', { name: 'New message' }).fill('Half a sentence')
  await page.getByRole('log').click()
  await page.keyboard.press('?')
  await expect.poll(() => loads).toBe(1)
  const field = page.getByRole('textbox', { name: 'New message' })
  await expect.poll(() => field.inputValue()).toBe('Half a sentence')
  await page.getByRole('log').click()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  isGone.value = false
  await page.reload()
  await field.waitFor()
  await page.getByRole('log').click()
  await page.keyboard.press('?')
  await page.getByText('Mark as unread').waitFor()
  // The reload of the test itself, and no further one while the file stayed away.
  expect(loads).toBe(2)
})

test('when the service ends a session, the sign-in stands above the half-written reply', async () => {
  const { email, token, address } = await tenantWith()
  const { page } = await openConsole(browser, address)
  await signIn(page, email)
  const field = page.getByRole('textbox', { name: 'New message' })
  await field.fill('Half a sentence')
  const newPassword = 'a sentence that nobody forgets'
  const body = { currentPassword: 'correct horse battery', newPassword }
  await call(running.url, { method: 'PUT', path: '/api/auth/password', token, body })
  await page.keyboard.press('Control+Enter')
  await page.getByText('Your session has ended').waitFor()
  await page.getByLabel('Password').fill(newPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Your session has ended').waitFor({ state: 'hidden' })
  await page.getByRole('log').getByText('Half a sentence').waitFor()
})

test('keys alone lead through the list, close, assign and find a command', async () => {
  const { email, token } = await tenantWith()
  await writeAsCustomer(running.url, token, { subject: 'An invoice', content: 'Where is it?' })
  const { page } = await openConsole(browser, `${mount.base}/console/`)
  await signIn(page, email)
  await page.getByRole('link', { name: /An invoice/ }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: 'An invoice' }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: 'A broken lamp' }).waitFor()
  await page.keyboard.press('i')
  await page.getByRole('button', { name: 'Assigned to Olive Owner' }).waitFor()
  await page.keyboard.press('e')
  await page.getByText('Closed', { exact: true }).last().waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('go closed')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Closed/ }).waitFor()
  await page.getByRole('link', { name: /A broken lamp/ }).waitFor()
})

describe.each(['light', 'dark'] as const)('in the theme %s', (colorScheme) => {
  test('no screen violates a rule of axe, wide and narrow', async () => {
    const tenant = await tenantWith()
    await write(running.url, tenant.token, { id: tenant.id, content: 'She called twice.', type: 'note' })
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 360, height: 740 },
    ]) {
      const { page } = await openConsole(browser, `${mount.base}/console/`, { colorScheme, viewport })
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('link', { name: 'Forgotten password?' }).click()
      await page.getByRole('heading', { name: 'Forgotten password' }).waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('link', { name: 'Back to sign in' }).click()
      await page.getByLabel('E-mail').fill(tenant.email)
      await page.getByLabel('Password').fill('correct horse battery')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('link', { name: /A broken lamp/ }).waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('link', { name: /A broken lamp/ }).click()
      await page.getByRole('log').getByText('She called twice.').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.goto(`${mount.base}/console/ui`)
      await page.getByRole('heading', { name: 'Building blocks' }).waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.context().close()
    }
  })
})
