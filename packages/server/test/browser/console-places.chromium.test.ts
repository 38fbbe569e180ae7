import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn, writeAsCustomer } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// Dialogs, undo and panes act on what they were opened for, and can be left.

const running = useService()
const browser = useBrowser()

async function openTwo(viewport?: { width: number; height: number }) {
  const tenant = await registerTenant(running.url)
  const colleague = await addColleague(running, { tenantId: tenant.tenant._id, role: 'agent' })
  const make = (subject: string) =>
    writeAsCustomer(running.url, tenant.token, { subject, content: `About ${subject}` })
  const [first, second] = [await make('First'), await make('Second')]
  const { page } = await openConsole(browser, `${running.url}/console/inbox/open/-/-/${first}`)
  await signIn(page, tenant.email)
  await page.getByRole('log').getByText('About First').waitFor()
  // The sign-in waits for the menu, which a narrow window hides.
  if (viewport) await page.setViewportSize(viewport)
  const ask = async (method: string, id: string, body?: object) => {
    const path = `/api/v1/conversations/${id}`
    return (await call(running.url, { method, path, token: tenant.token, body })).body.data
  }
  const follow = (id: string) =>
    page.evaluate(
      `history.pushState(null, '', location.pathname.replace(/con_\\w+/, '${id}')); dispatchEvent(new PopStateEvent('popstate'))`,
    )
  return { page, first, second, ask, follow, colleagueId: colleague.userId }
}

const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).last().click()

test.each(['l', 'a', 's'])(
  'a dialog (%s) of one conversation never changes another one that is shown by then',
  async (key) => {
    const { page, first, second, ask, follow } = await openTwo()
    await follow(second)
    await page.getByRole('log').getByText('About Second').waitFor()
    await page.keyboard.press(key)
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    const before = await ask('GET', first)
    await page.goBack()
    await page.getByRole('log').getByText('About First').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await ask('GET', first)).toMatchObject({ labels: before.labels, status: 'open', assignedTo: null })
  },
)

describe('an undo', () => {
  test('brings back the status that was there before', async () => {
    const { page, first, ask } = await openTwo()
    const statusOf = async () => (await ask('GET', first)).status
    await ask('PUT', first, { status: 'pending' })
    for (const keys of [['s', 'Enter'], ['e']]) {
      for (const key of keys) await page.keyboard.press(key)
      await expect.poll(statusOf).not.toBe('pending')
      await undo(page)
      await expect.poll(statusOf).toBe('pending')
    }
  })

  test('gives way to a later change of a colleague, and says so', async () => {
    const { page, first, ask, colleagueId } = await openTwo()
    await page.keyboard.press('i')
    await expect.poll(async () => (await ask('GET', first)).assignedTo).not.toBeNull()
    await ask('PUT', first, { assignedTo: colleagueId })
    await undo(page)
    await page.getByText('Not undone').waitFor()
    expect((await ask('GET', first)).assignedTo._id).toBe(colleagueId)
  })
})

describe.each([1024, 768, 360])('at %s px', (width) => {
  test('the customer is closed by its button, by Escape, by a press beside it, and with its conversation', async () => {
    const { page, second, follow } = await openTwo({ width, height: 740 })
    const pane = page.getByRole('complementary', { name: 'Customer' })
    const open = async () => {
      await page.locator('.customer-toggle').click()
      await pane.waitFor()
    }
    await open()
    await pane.getByRole('button', { name: 'Close the customer' }).click()
    await pane.waitFor({ state: 'hidden' })
    await open()
    await page.keyboard.press('Escape')
    await pane.waitFor({ state: 'hidden' })
    await open()
    await page.mouse.click(10, 400)
    await pane.waitFor({ state: 'hidden' })
    await open()
    await follow(second)
    await pane.waitFor({ state: 'hidden' })
  })
})

test('a press beside the menu of a telephone closes it and opens nothing behind it', async () => {
  const { page, first } = await openTwo({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Back to the list' }).click()
  const openMenu = async () => {
    await page.locator('.nav-open').click()
    await page.getByRole('navigation', { name: 'Views' }).waitFor()
  }
  await openMenu()
  await page.mouse.click(350, 150)
  await page.getByRole('navigation', { name: 'Views' }).waitFor({ state: 'hidden' })
  expect(page.url()).not.toContain(first)
  await openMenu()
  await page.keyboard.press('Escape')
  await page.getByRole('navigation', { name: 'Views' }).waitFor({ state: 'hidden' })
})
