import { expect, test } from 'vitest'
import { password } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { violationsOf } from './support/console-browser.ts'
import { openGrace } from './support/open-grace.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

test('on a touch screen no field has letters that a phone zooms into', async () => {
  const { page, email } = await openGrace(browser, running.url)
  const address = page.url()
  await page.close()
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
  const touched = await (await browser.newContext(phone)).newPage()
  const sizes = () =>
    touched.evaluate(
      `[...document.querySelectorAll('input, select, textarea')].filter((field) => field.type !== 'checkbox' && field.type !== 'radio')
        .map((field) => parseFloat(getComputedStyle(field).fontSize))`,
    ) as Promise<number[]>
  await touched.goto(address)
  await touched.getByLabel('E-mail').waitFor()
  expect(Math.min(...(await sizes()))).toBeGreaterThanOrEqual(16)
  await touched.getByLabel('E-mail').fill(email)
  await touched.getByLabel('Password').fill(password)
  await touched.getByRole('button', { name: 'Sign in' }).click()
  await touched.getByRole('textbox', { name: 'New message' }).waitFor()
  expect(Math.min(...(await sizes()))).toBeGreaterThanOrEqual(16)
})

test('with forced colours the open conversation and the chosen command have a frame', async () => {
  const { page } = await openGrace(browser, running.url)
  await page.emulateMedia({ forcedColors: 'active' })
  const frameOf = (selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).outlineStyle`)
  expect(await frameOf('.row[aria-current="true"]')).toBe('solid')
  expect(await frameOf('.nav-link[aria-current="page"]')).toBe('solid')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('option').first().waitFor()
  expect(await frameOf('[role="option"][aria-selected="true"]')).toBe('solid')
  await page.keyboard.press('Escape')
  expect(await violationsOf(page)).toEqual([])
})

test('the page of the building blocks shows every colour and every icon, in both themes', async () => {
  const { page } = await openGrace(browser, running.url)
  await page.goto(`${running.url}/console/ui`)
  await page.getByText('--ground-chosen', { exact: true }).waitFor()
  await page.getByText('signOut', { exact: true }).waitFor()
  for (const theme of ['Dark', 'Light']) {
    await page.getByRole('button', { name: theme, exact: true }).click()
    expect(await violationsOf(page)).toEqual([])
  }
})
