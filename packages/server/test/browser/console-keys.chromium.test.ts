import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn, writeAsCustomer } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// Work without a mouse, on each keyboard, and the words that a screen reader gets.

const running = useService()
const browser = useBrowser()

async function openList(subjects: readonly string[]) {
  const { token, email } = await registerTenant(running.url)
  for (const subject of subjects)
    await writeAsCustomer(running.url, token, { subject, content: `About ${subject}` })
  const { page, complaints } = await openConsole(browser, `${running.url}/console/inbox/open`)
  await signIn(page, email)
  await page
    .locator('.row')
    .nth(subjects.length - 1)
    .waitFor()
  return { page, complaints, token }
}

/** Presses a key as a keyboard with another alphabet sends it. */
async function pressOn(page: Page, ...keys: readonly (readonly [key: string, code: string])[]) {
  const session = await page.context().newCDPSession(page)
  for (const [key, code] of keys) {
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code, text: key })
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code })
  }
}

test('letters of other alphabets are the keys at their places, alone and in sequences', async () => {
  const { page } = await openList(['First', 'Second'])
  await pressOn(page, ['о', 'KeyJ'])
  await page.getByRole('log').getByText('About Second').waitFor()
  await pressOn(page, ['ξ', 'KeyJ'])
  await page.getByRole('log').getByText('About First').waitFor()
  await pressOn(page, ['п', 'KeyG'], ['ь', 'KeyM'])
  await page.getByRole('heading', { name: 'Mine' }).waitFor()
  // The end of a sequence is no key of its own: `m` would open the choice of an inbox.
  expect(await page.getByRole('dialog').count()).toBe(0)
})

const focused = (page: Page) => page.evaluate('document.activeElement.textContent')

test('after j and k the title and the focus name the open conversation', async () => {
  const { page } = await openList(['First', 'Second'])
  expect(await page.title()).toBe('crmkit')
  for (const [key, subject] of [
    ['j', 'Second'],
    ['j', 'First'],
    ['k', 'Second'],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(() => page.title()).toBe(`${subject} · crmkit`)
    await expect.poll(() => focused(page)).toContain(subject)
  }
  await page.goBack()
  await expect.poll(() => page.title()).toBe('crmkit')
})

const inPane = (page: Page) =>
  page.evaluate(`document.activeElement.closest('.nav, .list-pane, .thread-pane, .customer-pane')?.className`)

test('a list is one stop of the Tab key, with arrows inside', async () => {
  const { page } = await openList(['First', 'Second', 'Third'])
  await page.locator('#search').focus()
  await page.keyboard.press('Tab')
  expect(await focused(page)).toContain('Third')
  for (const [key, subject] of [
    ['ArrowDown', 'Second'],
    ['End', 'First'],
    ['ArrowDown', 'First'],
    ['Home', 'Third'],
    ['ArrowDown', 'Second'],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(() => focused(page)).toContain(subject)
  }
  // Arrows only look: nothing is opened, so nothing is marked as read.
  expect(await page.title()).toBe('crmkit')
  await page.keyboard.press('Enter')
  await page.getByRole('log').getByText('About Second').waitFor()
  await page.keyboard.press('Tab')
  expect(await inPane(page)).toBe('thread-pane')
  await page.keyboard.press('Shift+Tab')
  expect(await focused(page)).toContain('Second')
})

test('the row at the other end of a long list gets the focus, and is in view', async () => {
  const subjects = Array.from({ length: 40 }, (_, index) => `Question ${index}`)
  const { token, email } = await registerTenant(running.url)
  for (const subject of subjects)
    await writeAsCustomer(running.url, token, { subject, content: `About ${subject}` })
  const { page } = await openConsole(browser, `${running.url}/console/inbox/open`)
  await signIn(page, email)
  await page.getByText('Question 39').first().waitFor()
  await page.locator('#search').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('End')
  await expect.poll(() => focused(page)).toContain('Question 0')
  const isInView = `(() => {
    const row = document.activeElement.getBoundingClientRect()
    return row.bottom <= innerHeight && row.top >= 0
  })()`
  expect(await page.evaluate(isInView)).toBe(true)
})

test('F6 goes from pane to pane, also out of a field, and Shift F6 back', async () => {
  const { page } = await openList(['First'])
  await page.keyboard.press('j')
  await page.getByRole('log').getByText('About First').waitFor()
  await page.locator('.customer-head').waitFor()
  await page.getByRole('textbox', { name: 'New message' }).focus()
  for (const [key, pane] of [
    ['F6', 'customer-pane'],
    ['F6', 'nav'],
    ['F6', 'list-pane'],
    ['F6', 'thread-pane'],
    ['Shift+F6', 'list-pane'],
    ['Shift+F6', 'nav'],
    ['Shift+F6', 'customer-pane'],
  ] as const) {
    await page.keyboard.press(key)
    expect([key, await inPane(page)]).toEqual([key, pane])
  }
})
