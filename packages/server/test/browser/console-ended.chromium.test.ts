import type { Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn, watchTab, writeAsCustomer } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// The end of a session reaches every tab of every browser, without anybody touching it.

const running = useService()
const browser = useBrowser()

/** Two tabs of a browser at a conversation. */
async function openTabs(email: string, address: string): Promise<Page[]> {
  const { page } = await openConsole(browser, address)
  await signIn(page, email)
  const second = await watchTab(await page.context().newPage(), address)
  await second.page.getByRole('log').getByText('The lamp does not switch on.').waitFor()
  return [page, second.page]
}

async function openBrowsers() {
  const owner = await registerTenant(running.url)
  const texts = { subject: 'A broken lamp', content: 'The lamp does not switch on.' }
  const id = await writeAsCustomer(running.url, owner.token, texts)
  const address = `${running.url}/console/inbox/open/-/-/${id}`
  const tabs = [await openTabs(owner.email, address), await openTabs(owner.email, address)] as const
  return { owner, tabs }
}

test('a sign-out ends every tab of the browser before the service has responded, and no other browser', async () => {
  const { tabs } = await openBrowsers()
  const [here, elsewhere] = tabs
  const release = Promise.withResolvers<void>()
  await here[0]?.route('**/api/auth/logout', async (route) => {
    await release.promise
    await route.continue()
  })
  const ended = here[0]?.waitForResponse('**/api/auth/logout')
  await here[0]?.getByRole('button', { name: 'Sign out' }).click()
  for (const tab of here) await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
  release.resolve()
  expect((await ended)?.status()).toBe(200)
  for (const tab of elsewhere) await tab.getByRole('log').waitFor()
})

/** Resolves with the time at which the stream of the tab's browser ends. */
function endOfStream(tab: Page | undefined): Promise<number> {
  return new Promise((resolve) => {
    const note = (request: Request) => {
      if (request.url().includes('/events/stream')) resolve(performance.now())
    }
    tab?.context().on('requestfinished', note)
    tab?.context().on('requestfailed', note)
  })
}

test('a changed password ends every tab of every browser, and their streams at once', async () => {
  const { owner, tabs } = await openBrowsers()
  const streamEnds = tabs.map(([page]) => endOfStream(page))
  const body = { currentPassword: password, newPassword: 'a sentence that nobody forgets' }
  const changed = await call(running.url, {
    method: 'PUT',
    path: '/api/auth/password',
    token: owner.token,
    body,
  })
  const changedAt = performance.now()
  expect(changed.status).toBe(200)
  // Without a notice of the change they would go on until their token ends.
  for (const endedAt of await Promise.all(streamEnds)) expect(endedAt - changedAt).toBeLessThan(10_000)
  for (const tab of tabs.flat()) await tab.getByText('Your session has ended').waitFor()
})
