import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { analytics as english } from '../../../console/src/strings/analytics.ts'
import { deAnalytics } from '../../../console/src/strings/de-analytics.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// The figures of a team with sample data: each chart with its numbers, its file and the lists behind it.

const browser = useBrowser()
const running = useService()

const fitsOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')

async function withSamples() {
  const inbox = await makeMailInbox(running)
  expect((await inbox.ask('POST', '/api/tenant/sample-data')).status).toBe(202)
  const samples = async () => (await inbox.ask('GET', '/api/v1/conversations?limit=100')).body.data.length
  await expect.poll(samples).toBeGreaterThan(3)
  const { dueFigures } = running.service.storage.system.across
  const waiting = () => dueFigures.of(inbox.owner.tenant._id as TenantId, 1)
  await expect.poll(waiting, { timeout: 30_000 }).toEqual([])
  return inbox
}

async function openFigures(options: Parameters<typeof openConsole>[2] = {}) {
  const inbox = await withSamples()
  const tab = await openConsole(browser, `${running.url}/console/`, options)
  await signIn(tab.page, inbox.owner.email)
  return { ...tab, inbox }
}

test('a person reads the figures, opens the list behind one, and takes them as a file', async () => {
  const { page, inbox, complaints } = await openFigures({ acceptDownloads: true })
  await page.getByRole('link', { name: english.title }).click()
  await page.getByRole('heading', { name: english.title }).waitFor()
  await page.getByLabel(english.range).selectOption('90')
  const channels = page.getByRole('region', { name: english.charts.channel, exact: true })
  await channels.getByRole('table').waitFor()
  for (const title of Object.values(english.charts))
    await page.getByRole('region', { name: title, exact: true }).waitFor()
  expect(await violationsOf(page, '.list-pane')).toEqual([])
  const days = page.getByRole('region', { name: english.charts.day, exact: true })
  const legend = (await days.getByRole('listitem').allTextContents()).map((text) => Number(/\d+/.exec(text)))
  const begun = page.getByRole('definition').first()
  const sum = legend.reduce((all, count) => all + count, 0)
  expect([legend.length > 1, String(sum)]).toEqual([true, await begun.textContent()])
  await page.getByText(english.before('0', '')).first().waitFor()
  // A day without neighbours is a point that can be seen.
  const firstResponse = page.getByRole('region', { name: english.charts.response, exact: true })
  expect(await firstResponse.locator('path[stroke-width="6"][d^="M"]').count()).toBeGreaterThan(0)
  // Months have names, and one without requests has no bar.
  const usage = page.getByRole('region', { name: english.charts.usage, exact: true })
  const months = await usage.getByRole('rowheader').allTextContents()
  expect([months.length, months.filter((month) => /\d-\d/.test(month))]).toEqual([12, []])
  const quiet = usage.getByRole('row').filter({ has: page.getByRole('cell', { name: '0', exact: true }) })
  expect(await quiet.first().locator('div').count()).toBe(0)
  const file = page.waitForEvent('download')
  await channels.getByRole('button', { name: english.csv }).click()
  expect((await file).suggestedFilename()).toBe(`${english.charts.channel}.csv`)
  const link = channels.getByRole('link').first()
  const count = Number(await link.textContent())
  const all = (await inbox.ask('GET', '/api/v1/conversations?limit=100')).body.data
  expect(count).toBeGreaterThan(0)
  expect(count).toBeLessThanOrEqual(all.length)
  await link.press('Enter')
  const list = page.getByRole('listbox').or(page.getByRole('list', { name: 'Conversations' }))
  await expect.poll(() => list.getByRole('option').or(list.getByRole('listitem')).count()).toBe(count)
  expect(complaints).toEqual([])
})

test.each([360, 768, 1440])(
  'the figures fit on a screen of %d pixels, in German and in the dark',
  async (width) => {
    const { page } = await openFigures({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' })
    await page.evaluate(`localStorage.setItem('crm-console-language', 'de')`)
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${running.url}/console/analytics`)
    await page.getByRole('heading', { name: deAnalytics.title }).waitFor()
    await page.getByRole('region', { name: deAnalytics.charts.agent, exact: true }).waitFor()
    expect(await violationsOf(page, '.list-pane')).toEqual([])
    expect(await fitsOf(page)).toBe(true)
    // It has the place of the list and of the thread.
    const pane = await page.getByRole('region', { name: deAnalytics.title, exact: true }).boundingBox()
    expect(pane!.width).toBeGreaterThanOrEqual(width - 201)
  },
)
