import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, password } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { useBrowser } from './support/use-browser.ts'

const service = useService()
const browser = useBrowser()

const email = 'ada@example.com'

async function signIn(page: Page, secret: string): Promise<void> {
  await page.fill('input[name=email]', email)
  await page.fill('input[name=password]', secret)
  await page.click('#sign-in button')
}

test('a person signs in and sends a request from the page, and no request leaves its origin', async () => {
  const register = { tenantName: 'Analytical Engines of London and Paris', email, password }
  await call(service.url, { method: 'POST', path: '/api/auth/register', body: register })
  const page = await browser.newPage()
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => {
    // The browser also logs a refused sign-in.
    if (message.type() === 'error' && !message.text().includes('401')) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!/^(data:|blob:)/.test(request.url()) && !request.url().startsWith(service.url))
      foreign.push(request.url())
  })
  await page.goto(`${service.url}/api-docs`)
  await signIn(page, 'not the right password')
  await page.getByText('The e-mail or the password is wrong').waitFor()
  await signIn(page, password)
  // A phone shows the whole head of the page.
  await page.setViewportSize({ width: 390, height: 800 })
  const signOut = await page.getByRole('button', { name: 'Sign out' }).boundingBox()
  expect((signOut?.x ?? 390) + (signOut?.width ?? 0)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.locator('#operations-tag-customers .expand-operation').click()
  const operation = page.locator('#operations-customers-customers_create')
  await operation.locator('.opblock-summary-control').click()
  await operation.locator('.execute').click()
  await operation.locator('.live-responses-table').getByText('201', { exact: true }).waitFor()

  // The effect of the page's request is stored; the page's credential is in its memory alone.
  const login = await call(service.url, {
    method: 'POST',
    path: '/api/auth/login',
    body: { email, password },
  })
  const { accessToken: token } = login.body.data
  const list = await call(service.url, { method: 'GET', path: '/api/v1/customers', token })
  expect(list.body.data).toMatchObject([{ profile: { firstName: 'Grace' } }])
  expect(await page.evaluate('document.cookie + JSON.stringify([localStorage, sessionStorage])')).toBe(
    '[{},{}]',
  )
  expect(complaints).toEqual([])
  expect(foreign).toEqual([])
  await page.click('#sign-out')
  await page.locator('#sign-in').waitFor()
})
