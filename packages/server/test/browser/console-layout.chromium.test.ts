import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useService } from '../support/use-service.ts'
import { violationsOf } from './support/console-browser.ts'
import { openGrace } from './support/open-grace.ts'
import { useBrowser } from './support/use-browser.ts'

// Each part has its place: inside of the screen, beside the other parts, and wide enough for its words.

const running = useService()
const browser = useBrowser()

const subject = 'The desk lamp does not switch on, and the one that you sent last week neither'

async function boxOf(part: Locator) {
  const box = await part.boundingBox()
  if (box === null) throw new Error('It is not shown')
  return { left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height }
}

async function isOver(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await boxOf(one), await boxOf(other)]
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

const resize = (page: Page, width: number) => page.setViewportSize({ width, height: 740 })

test.each([1440, 768, 360, 320])(
  'with %i pixels the menu beside “Send” is inside of the screen',
  async (width) => {
    const { page } = await openGrace(browser, running.url)
    await resize(page, width)
    await page.getByRole('textbox', { name: 'New message' }).fill('A bulb')
    await page.getByRole('button', { name: 'More ways to send' }).click()
    const { left, right, top } = await boxOf(page.getByRole('menu'))
    expect([left >= 0, right <= width, top >= 0]).toEqual([true, true, true])
  },
)

test.each([1440, 1024, 768, 360])(
  'with %i pixels a notice lies neither over the message that somebody writes nor over its buttons',
  async (width) => {
    const { page, request, id } = await openGrace(browser, running.url)
    await request('PUT', `conversations/${id}`, { subject })
    await page.getByRole('heading', { name: subject }).waitFor()
    await resize(page, width)
    await page.keyboard.press('y')
    await page.getByRole('option', { name: 'High' }).click()
    const notice = page.locator('.toast')
    await notice.getByText('Priority: High').waitFor()
    for (const part of ['.composer', '.thread-head'])
      expect([part, await isOver(notice, page.locator(part))]).toEqual([part, false])
  },
)

test('a long subject is read in the head of a conversation, and long labels end with dots before the number of further ones', async () => {
  const { page, request, id } = await openGrace(browser, running.url)
  const labels = ['returns', 'a-label-with-quite-a-long-name', 'third', 'fourth']
  await request('PUT', `conversations/${id}`, { subject, labels })
  const head = page.getByRole('heading', { name: subject })
  await head.waitFor()
  const row = page.locator('a.row')
  const further = row.getByText('+2', { exact: true })
  await further.waitFor()
  expect((await boxOf(further)).right).toBeLessThanOrEqual((await boxOf(row)).right)
  for (const width of [1440, 768]) {
    await resize(page, width)
    const isCut = await head.evaluate(
      ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
        scrollHeight > clientHeight + 1 || scrollWidth > clientWidth,
    )
    expect([width, isCut]).toEqual([width, false])
  }
  // Only a block ends a text with dots, not a flex container.
  const shown = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.chip')].map((chip) => getComputedStyle(chip).display)`,
  )
  expect([...new Set(shown)]).toEqual(['block'])
})

test('the buttons below a list of choices do not lie over its last one', async () => {
  const { page, request } = await openGrace(browser, running.url)
  await request('POST', 'canned-replies', { shortcut: 'bulb', title: 'A bulb', content: 'Change the bulb' })
  await page.keyboard.press('q')
  const dialog = page.getByRole('dialog', { name: 'Insert a canned reply' })
  const option = dialog.getByRole('option', { name: '/bulb A bulb' })
  await option.waitFor()
  expect(await isOver(option, dialog.getByRole('button', { name: 'New canned reply' }))).toBe(false)
})

test('on a phone the table of customers breaks no word, and one customer has a state in words', async () => {
  const { page, request } = await openGrace(browser, running.url)
  const email = 'augusta@example.com'
  await request('POST', 'customers', {
    firstName: 'Augusta',
    lastName: 'Lovelace',
    email,
    company: 'Engines',
    tier: 'platinum',
  })
  await resize(page, 360)
  await page.goto(`${running.url}/console/customers`)
  const row = page.getByRole('row').filter({ hasText: 'Augusta' })
  await row.waitFor()
  const linesOf = (text: string) =>
    row.getByText(text, { exact: true }).evaluate((element) => {
      const range = element.ownerDocument.createRange()
      range.selectNodeContents(element)
      return range.getClientRects().length
    })
  for (const word of ['platinum', 'Engines', email]) expect([word, await linesOf(word)]).toEqual([word, 1])
  // Two lines: a name has two words.
  const { top, bottom } = await boxOf(row)
  expect(bottom - top).toBeLessThan(70)
  await row.getByRole('link').click()
  await page.getByText('Active', { exact: true }).waitFor()
  expect(await violationsOf(page)).toEqual([])
})

test('a screen without conversations asks nobody to choose one', async () => {
  const { page } = await openGrace(browser, running.url)
  for (const [place, title] of [
    ['mailboxes', 'Mailboxes'],
    ['mail', 'Mail that needs you'],
  ] as const) {
    await page.goto(`${running.url}/console/${place}`)
    await page.getByRole('heading', { name: title }).waitFor()
    expect(await page.getByText('Choose a conversation').count()).toBe(0)
    const { right } = await boxOf(page.getByRole('region', { name: title }))
    expect(right).toBe(1440)
  }
})

test('a time that a person chooses is short, and a snooze until a reply says so', async () => {
  const { page } = await openGrace(browser, running.url)
  await page.keyboard.press('s')
  const dialog = page.getByRole('dialog', { name: 'Snooze until' })
  const tomorrow = await dialog.getByRole('option', { name: 'Tomorrow at 9:00' }).textContent()
  expect(tomorrow).not.toMatch(/:00:00|GMT|UTC|Coordinated/)
  await dialog.getByRole('option', { name: 'Until the customer replies' }).click()
  await page.locator('.toast').getByText('Snoozed: Until the customer replies').waitFor()
})
