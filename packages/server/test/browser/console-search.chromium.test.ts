import { describe, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn, violationsOf, write, writeAsCustomer } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

const field = 'Search customers, conversations and messages'

/** A tenant with a closed conversation of Grace and an open one of Ada, and a console that is signed in. */
async function openSearch() {
  const { token, email } = await registerTenant(running.url)
  const lamp = await writeAsCustomer(running.url, token, {
    subject: 'A broken lamp',
    content: 'The lamp sparks when it is <b>damp</b>',
  })
  await call(running.url, {
    method: 'PUT',
    path: `/api/v1/conversations/${lamp}`,
    token,
    body: { status: 'closed' },
  })
  const loom = await writeAsCustomer(running.url, token, {
    subject: 'A loom',
    content: 'Where is the shuttle?',
    customer: 'Ada',
  })
  await write(running.url, token, { id: loom, content: 'She has a lamp too', type: 'note' })
  const { page, complaints } = await openConsole(browser, `${running.url}/console/`)
  await signIn(page, email)
  await page.locator('.row').first().waitFor()
  const dialog = page.getByRole('dialog', { name: 'Search' })
  const open = async () => {
    await page.locator('body').press('/')
    await dialog.getByRole('combobox', { name: field }).waitFor()
  }
  return { page, complaints, dialog, open, lamp, loom }
}

/** The options of each group, in the order of the sheet. */
const groupsIn = (dialog: Awaited<ReturnType<typeof openSearch>>['dialog']) =>
  dialog
    .getByRole('group')
    .evaluateAll((groups) =>
      groups.map((group) => [
        (group as unknown as { ariaLabel: string }).ariaLabel,
        (group as unknown as { querySelectorAll(q: string): { length: number } }).querySelectorAll(
          '[role=option]',
        ).length,
      ]),
    )

describe('the search sheet', () => {
  test('finds closed conversations and notes, marks the hits as text, and opens one by the keys', async () => {
    const { page, complaints, dialog, open, lamp } = await openSearch()
    await open()
    await page.keyboard.type('lamp')
    await expect
      .poll(() => groupsIn(dialog))
      .toEqual([
        ['Conversations', 1],
        ['Messages', 2],
      ])
    // The hits of the letters before stay until those of the whole word are there.
    await expect.poll(() => dialog.locator('mark').allTextContents()).toEqual(['lamp', 'lamp'])
    await dialog.getByText('The lamp sparks when it is <b>damp</b>').waitFor()
    // Many conversations have the same subject.
    await dialog.getByRole('option', { name: 'A broken lamp' }).getByText('Grace · Closed').waitFor()
    expect(await violationsOf(page, 'dialog')).toEqual([])
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.waitForURL(`**/${lamp}`)
    await page.getByRole('heading', { name: 'A broken lamp' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('shows people first; one of them narrows the search to their conversations, and what opened something is kept', async () => {
    const { page, dialog, open, loom } = await openSearch()
    await open()
    await page.keyboard.type('ada')
    await expect
      .poll(() => groupsIn(dialog))
      .toEqual([
        ['Customers', 1],
        ['Conversations', 1],
      ])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/${loom}`)
    await open()
    await dialog.getByRole('group', { name: 'Last searches' }).getByRole('option', { name: 'ada' }).click()
    const person = dialog.getByRole('group', { name: 'Customers' }).getByRole('option')
    await person.filter({ hasText: 'Ada' }).click()
    await expect
      .poll(() => dialog.getByRole('combobox', { name: field }).inputValue())
      .toBe('from:"grace@example.com" ')
    await dialog.getByRole('group', { name: 'Conversations' }).getByRole('option').first().waitFor()
  })

  test('says that nothing was found, and leaves by Escape without a trace', async () => {
    const { page, dialog, open } = await openSearch()
    await open()
    await page.keyboard.type('zebra')
    await dialog.getByText('Nothing for “zebra”, in open and closed conversations.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await open()
    await dialog.getByText('Narrow it with').waitFor()
    expect(await groupsIn(dialog)).toEqual([])
  })

  test('works on a phone: by its button, within the screen, without a violation of axe', async () => {
    const { page, dialog, lamp } = await openSearch()
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'Open the menu' }).click()
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await dialog.getByRole('combobox', { name: field }).fill('sparks')
    const hit = dialog.getByRole('group', { name: 'Messages' }).getByRole('option')
    await hit.waitFor()
    const beyond = await page.evaluate(`[...document.querySelectorAll('dialog[open], dialog[open] *')]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1).length`)
    expect([beyond, await violationsOf(page, 'dialog')]).toEqual([0, []])
    await hit.click()
    await page.waitForURL(`**/${lamp}`)
  })
})
