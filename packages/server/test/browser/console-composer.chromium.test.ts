import type { Page, Request, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, registerTenant } from '../support/call.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'
import {
  joinAs,
  openConsole,
  signIn,
  violationsOf,
  write,
  writeAsCustomer,
} from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService({ CRM_MAIL_DOMAIN: 'in.acme.test' })
const browser = useBrowser()

const dayMs = 24 * 3_600_000
const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'New message' })
const planned = (page: Page) => page.getByRole('region', { name: 'Send later' })
const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting to be sent' })

async function openAs(email: string, id: string, text: string): Promise<Page> {
  const { page } = await openConsole(browser, `${running.url}/console/inbox/open/-/-/${id}`)
  await signIn(page, email)
  await page.getByRole('log').getByText(text).waitFor()
  return page
}

/** A conversation of the widget's kind: its replies leave by no e-mail. */
async function openConversation() {
  const tenant = await registerTenant(running.url)
  const colleague = await addColleague(running, { tenantId: tenant.tenant._id, role: 'agent' })
  const texts = { subject: 'A broken lamp', content: 'The lamp does not switch on.' }
  const id = await writeAsCustomer(running.url, tenant.token, texts)
  const page = await openAs(tenant.email, id, texts.content)
  const ask = async (method: string, path: string, body?: object) =>
    (
      await call(running.url, {
        method,
        path: `/api/v1/conversations/${id}${path}`,
        token: tenant.token,
        body,
      })
    ).body.data
  const contents = async () =>
    (await ask('GET', '/messages')).map(({ content }: { content: string }) => content)
  return { ...tenant, colleague, id, page, ask, contents }
}

/** A conversation that a mail began, with a copy to Carol. */
async function openMail() {
  const inbox = await makeMailInbox(running)
  const { conversationId: id = '' } = await inbox.receive({ headers: ['Cc: carol@example.com'] })
  const page = await openAs(inbox.owner.email, id, 'Hi')
  const path = `/api/v1/conversations/${id}`
  const draft = async () => (await inbox.ask('GET', `${path}/draft`)).body.data
  const lastMail = async () => {
    const { email } = (await inbox.messagesOf(id)).at(-1)
    const list = (kind: 'to' | 'cc' | 'bcc') => email[kind].map((one: { address: string }) => one.address)
    return { to: list('to'), cc: list('cc'), bcc: list('bcc') }
  }
  return { inbox, id, page, path, draft, lastMail }
}

test('the recipients of a stored draft survive what the console saves, and are those of the mail', async () => {
  const { inbox, path, page, draft, lastMail } = await openMail()
  const named = { to: ['bob@example.com'], cc: ['dan@example.com'], bcc: ['eve@example.com'] }
  await inbox.ask('PUT', `${path}/draft`, { content: 'It is', contentType: 'markdown', ...named })
  await expect.poll(() => fieldOf(page).inputValue()).toBe('It is')
  await page
    .getByText('To bob@example.com · Copy to dan@example.com · Hidden copy to eve@example.com')
    .waitFor()
  await fieldOf(page).fill('It is on its way')
  await expect.poll(async () => (await draft()).content).toBe('It is on its way')
  expect(await draft()).toMatchObject({ contentType: 'markdown', ...named })
  await page.keyboard.press('Control+Enter')
  await waiting(page).getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('log').getByText('It is on its way').waitFor()
  expect(await lastMail()).toEqual(named)
})

test('a reply by mail shows who gets it, and each recipient can be changed; what is no address is not sent', async () => {
  const { page, lastMail } = await openMail()
  await page.getByText('To Ada <ada@example.com> · Copy to carol@example.com (not verified)').waitFor()
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('ada@example.com')
  await page.getByLabel('Cc', { exact: true }).fill('')
  await page.getByLabel('Bcc', { exact: true }).fill('Dan <dan@example.com>, nobody')
  await fieldOf(page).fill('For you alone')
  await page.getByText('“nobody” is no address.').waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
  await page.getByLabel('Bcc', { exact: true }).fill('dan@example.com')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await waiting(page).getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('log').getByText('For you alone').waitFor()
  expect(await lastMail()).toEqual({ to: ['ada@example.com'], cc: [], bcc: ['dan@example.com'] })
  await page.getByText('To Ada <ada@example.com> · Copy to carol@example.com (not verified)').waitFor()
})

test('a recipient that the service refuses is named at the message, and at its field when it is edited', async () => {
  const { page } = await openMail()
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByLabel('To', { exact: true }).fill(`ada@${'a'.repeat(64)}.example`)
  await fieldOf(page).fill('Hello')
  await page.keyboard.press('Control+Enter')
  const refused = page.getByRole('log').getByRole('alert')
  await refused.getByText(/To must be/).waitFor()
  await refused.getByRole('button', { name: 'Edit' }).click()
  await page
    .getByRole('form', { name: 'New message' })
    .getByText(/To must be/)
    .waitFor()
  expect(await page.getByLabel('To', { exact: true }).getAttribute('aria-invalid')).toBe('true')
})

test('a conversation without e-mail has no recipients, and those of a draft can be removed', async () => {
  const { page, ask } = await openConversation()
  await ask('PUT', '/draft', { content: 'Hello', to: ['bob@example.com'] })
  await page.getByRole('button', { name: 'Remove the recipients' }).click()
  await expect.poll(async () => (await ask('GET', '/draft')).to).toEqual([])
  expect(await page.getByRole('button', { name: 'Change', exact: true }).count()).toBe(0)
})

test('keys alone plan a reply for tomorrow, and cancel it', async () => {
  const { page, ask } = await openConversation()
  await fieldOf(page).fill('It was sent today')
  await page.keyboard.press('Escape')
  await page.keyboard.press('t')
  await page.getByRole('dialog', { name: 'Send later' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.type('tomorrow')
  await page.keyboard.press('Enter')
  await planned(page)
    .getByText(/^Planned by you for .*9:00/)
    .waitFor()
  expect(await fieldOf(page).inputValue()).toBe('')
  expect(await violationsOf(page)).toEqual([])
  const { sendAt, ...stored } = await ask('GET', '/draft')
  expect(stored).toMatchObject({ content: 'It was sent today', sendUnlessReplied: true, ifSeq: null })
  expect(Date.parse(sendAt) - Date.now()).toBeLessThan(2 * dayMs)
  await planned(page).getByRole('button', { name: 'Cancel' }).press('Enter')
  await planned(page).waitFor({ state: 'detached' })
  expect(await fieldOf(page).inputValue()).toBe('It was sent today')
  expect(await ask('GET', '/draft')).toMatchObject({ content: 'It was sent today', sendAt: null })
})

test('a reply is planned for a time of one’s own, whatever is written until then, and sent now instead', async () => {
  const { page, ask, contents } = await openConversation()
  await fieldOf(page).fill('A reminder')
  await page.getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Send later' }).click()
  await page.getByRole('option', { name: 'Another time' }).click()
  await page.getByLabel('Another time').fill('2020-01-01T09:00')
  await page.getByRole('button', { name: 'Plan the reply' }).click()
  await page.getByText('This time is over.').waitFor()
  const year = new Date().getFullYear()
  const local = `${new Date().getMonth() === 11 ? year + 1 : year}-12-31T08:30`
  await page.getByLabel('Another time').fill(local)
  await page.getByLabel('Do not send it when').uncheck()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Plan the reply' }).click()
  await planned(page).waitFor()
  const { sendAt, sendUnlessReplied } = await ask('GET', '/draft')
  expect([Date.parse(sendAt), sendUnlessReplied]).toEqual([
    await page.evaluate(`new Date('${local}').getTime()`),
    false,
  ])
  // Another reply is sent at once, and leaves the planned one.
  await fieldOf(page).fill('One more thing')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('log').getByText('One more thing').waitFor()
  await expect.poll(contents).toEqual(['The lamp does not switch on.', 'One more thing'])
  await planned(page).getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('log').getByText('A reminder').waitFor()
  await expect.poll(contents).toEqual(['The lamp does not switch on.', 'One more thing', 'A reminder'])
})

test('a planned reply that somebody else was faster than says so, above what was typed since', async () => {
  const { page, ask, colleague, id, contents } = await openConversation()
  await ask('PUT', '/draft', { content: 'Planned', sendAt: new Date(Date.now() + dayMs).toISOString() })
  await planned(page).getByText('Planned').last().waitFor()
  await fieldOf(page).fill('Typed since')
  await write(running.url, colleague.token, { id, content: 'I take care of it.' })
  const { _id, version } = await ask('GET', '/draft')
  const store = running.service.storage.forTenant((await ask('GET', '')).tenantId)
  const dueAt = new Date().toISOString()
  await store.commit({
    writes: [{ op: 'update', kind: 'drafts', id: _id, expectVersion: version, set: { dueAt } }],
    events: [],
  })
  await page.getByText('somebody has written before its time').waitFor()
  await expect.poll(() => fieldOf(page).inputValue()).toBe('Planned\n\nTyped since')
  expect(await contents()).not.toContain('Planned')
  await page.getByRole('button', { name: 'Choose another time' }).click()
  await page.getByRole('option', { name: /^In one hour/ }).click()
  await planned(page).getByText('Typed since').waitFor()
})

test('a colleague’s planned reply is shown with its time, and why it was not sent', async () => {
  const { page, colleague, id, ask } = await openConversation()
  const path = `/api/v1/conversations/${id}/draft`
  const body = { content: 'Later', sendAt: new Date(Date.now() + dayMs).toISOString() }
  await call(running.url, { method: 'PUT', path, token: colleague.token, body })
  await page.getByText(/^Draft of .* planned for/).waitFor()
  const store = running.service.storage.forTenant((await ask('GET', '')).tenantId)
  const user = await store.users.find(colleague.userId)
  const { data } = (await call(running.url, { path: `${path}s`, token: colleague.token })).body
  await store.commit({
    writes: [
      {
        op: 'update',
        kind: 'users',
        id: colleague.userId,
        expectVersion: user?.version ?? 0,
        set: { isActive: false },
      },
      {
        op: 'update',
        kind: 'drafts',
        id: data[0]._id,
        expectVersion: data[0].version,
        set: { dueAt: new Date().toISOString() },
      },
    ],
    events: [],
  })
  await page.getByText(/may not write any more/).waitFor()
  await page.getByRole('button', { name: 'Send this draft' }).click()
  await page.getByRole('log').getByText('Later', { exact: true }).waitFor()
})

test('a reply by send and close closes the conversation when it is sent, and not when it is taken back', async () => {
  const { page, ask, contents } = await openConversation()
  const status = async () => (await ask('GET', '')).status
  await fieldOf(page).fill('First of all')
  await page.keyboard.press('Control+Enter')
  await waiting(page).getByText('First of all').waitFor()
  await fieldOf(page).fill('Done')
  await page.keyboard.press('Control+Shift+Enter')
  await waiting(page).getByText('Done').waitFor()
  expect(await contents()).toContain('First of all')
  expect(await status()).toBe('open')
  await waiting(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => fieldOf(page).inputValue()).toBe('Done')
  await page.getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Send and close' }).click()
  await waiting(page).getByRole('button', { name: 'Send now' }).click()
  await page.getByText('Sent and closed').waitFor()
  await expect.poll(status).toBe('closed')
  expect(await contents()).toContain('Done')
})

test('a conversation in which the customer has written while the reply waited stays open', async () => {
  const { page, ask, colleague, id } = await openConversation()
  await fieldOf(page).fill('Done')
  await page.keyboard.press('Control+Shift+Enter')
  await waiting(page).getByText('Done').waitFor()
  await write(running.url, colleague.token, { id, content: 'One more thing', direction: 'inbound' })
  await page.getByRole('log').getByText('One more thing').waitFor()
  await waiting(page).getByRole('button', { name: 'Send now' }).click()
  await page.getByText('The conversation stays open').waitFor()
  expect((await ask('GET', '')).status).toBe('open')
})

test('a reply whose conversation gets another customer while it waits reaches nobody, and says so', async () => {
  const { inbox, id, path, page } = await openMail()
  const other = { firstName: 'Other', email: 'other@example.com' }
  const { _id: customerId } = (await inbox.ask('POST', '/api/v1/customers', other)).body.data
  await fieldOf(page).fill('For Ada alone')
  await page.keyboard.press('Control+Enter')
  await waiting(page).getByText('For Ada alone').waitFor()
  expect((await inbox.ask('PUT', path, { customerId })).status).toBe(200)
  await page.getByText(/the customer or an address has changed/).waitFor()
  await expect.poll(() => fieldOf(page).inputValue()).toBe('For Ada alone')
  const sent = (await inbox.messagesOf(id)).map(({ content }: { content: string }) => content)
  expect(sent).not.toContain('For Ada alone')
})

test('a reply by send and close that loses against a colleague leaves the conversation open', async () => {
  const { page, ask, colleague, id, contents } = await openConversation()
  await fieldOf(page).fill('Done')
  await page.keyboard.press('Control+Shift+Enter')
  await waiting(page).getByText('Done').waitFor()
  await write(running.url, colleague.token, { id, content: 'I take care of it.' })
  await waiting(page).getByRole('button', { name: 'Send now' }).waitFor()
  // By itself, as after the seconds: with what the person had read when they sent it.
  await page.getByText(/look first, or send anyway/).waitFor()
  expect((await ask('GET', '')).status).toBe('open')
  expect(await contents()).not.toContain('Done')
})

test('a reply whose tab is closed while it waits is not sent after a colleague has replied, and says so', async () => {
  const { page, email, colleague, id, contents } = await openConversation()
  await fieldOf(page).fill('On its way')
  await page.keyboard.press('Control+Enter')
  await waiting(page).waitFor()
  await page.context().close()
  await write(running.url, colleague.token, { id, content: 'I take care of it.' })
  const later = await openAs(email, id, 'I take care of it.')
  // The second tab shows the reply that waits, and then why it was stopped.
  await later.getByText('somebody has written before its time').waitFor()
  expect(await fieldOf(later).inputValue()).toBe('On its way')
  expect(await contents()).not.toContain('On its way')
})

test('keys that belong to an input method send nothing', async () => {
  const { page, contents } = await openConversation()
  await fieldOf(page).fill('日本')
  const press = (isComposing: boolean) =>
    fieldOf(page).evaluate(
      (field, composing) =>
        field.dispatchEvent(
          new (
            field.ownerDocument.defaultView as unknown as { KeyboardEvent: new (...args: unknown[]) => Event }
          ).KeyboardEvent('keydown', {
            key: 'Enter',
            code: 'Enter',
            ctrlKey: true,
            bubbles: true,
            cancelable: true,
            isComposing: composing,
          }),
        ),
      isComposing,
    )
  await press(true)
  expect(await fieldOf(page).inputValue()).toBe('日本')
  await press(false)
  await waiting(page).getByText('日本').waitFor()
  expect(await contents()).not.toContain('日本')
})

test('files are attached by drop and by paste, with their progress, and are sent alone', async () => {
  const { page, ask } = await openConversation()
  await fieldOf(page).waitFor()
  let release: () => void = () => undefined
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/v1/attachments', async (route: Route) => {
    await isReleased
    await route.continue()
  })
  const give = (type: 'drop' | 'paste', name: string) =>
    page.evaluate(`(() => {
      const files = new DataTransfer()
      files.items.add(new File(['A lamp'], '${name}', { type: 'text/plain' }))
      const field = document.getElementById('composer')
      field.dispatchEvent('${type}' === 'drop'
        ? new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true })
        : new ClipboardEvent('paste', { clipboardData: files, bubbles: true, cancelable: true }))
    })()`)
  await give('drop', 'dropped.txt')
  await give('paste', 'pasted.txt')
  await page.getByText('dropped.txt is uploading').waitFor()
  release()
  for (const name of ['dropped.txt', 'pasted.txt'])
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await waiting(page).getByText('2 files').waitFor()
  await waiting(page).getByRole('button', { name: 'Send now' }).click()
  const newest = async () => (await ask('GET', '/messages')).at(-1)
  await expect
    .poll(newest, { timeout: 15_000 })
    .toMatchObject({ content: '', attachments: [{ filename: 'dropped.txt' }, { filename: 'pasted.txt' }] })
})

test('an admin cancels a colleague’s planned reply with the second press; an agent sees no way to it', async () => {
  const { page, colleague, id, token, ask } = await openConversation()
  const path = `/api/v1/conversations/${id}/draft`
  const body = { content: 'Later', sendAt: new Date(Date.now() + dayMs).toISOString() }
  await call(running.url, { method: 'PUT', path, token: colleague.token, body })
  const agent = await openAs(await joinAs(running.url, token, 'agent'), id, 'The lamp')
  const cardOf = (tab: Page) => tab.getByRole('region', { name: /^Draft of/ })
  await cardOf(agent)
    .getByText(/planned for/)
    .waitFor()
  expect(await cardOf(agent).getByRole('button').allTextContents()).toEqual(['Send this draft'])
  const deletions: string[] = []
  page.on('request', (request: Request) => {
    if (request.method() === 'DELETE') deletions.push(request.url())
  })
  // A double click and a key that is held are one press.
  await cardOf(page).getByRole('button', { name: 'Cancel' }).dblclick()
  const second = cardOf(page).getByRole('button', { name: 'Delete this reply for good' })
  await second.waitFor()
  for (let repeat = 0; repeat < 30; repeat++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  expect(await ask('GET', '/drafts')).toMatchObject([{ content: 'Later' }])
  expect(deletions).toEqual([])
  const press = async () => {
    await second.click({ timeout: 1_000 }).catch(() => undefined)
    return cardOf(page).count()
  }
  await expect.poll(press, { interval: 1_000 }).toBe(0)
  for (const tab of [page, agent]) await cardOf(tab).waitFor({ state: 'detached' })
  expect(await ask('GET', '/drafts')).toEqual([])
})
