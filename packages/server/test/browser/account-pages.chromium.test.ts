import http from 'node:http'
import type { AddressInfo } from 'node:net'
import axe from 'axe-core'
import express from 'express'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, password, registerTenant } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { tokenMailedTo } from '../support/system-mail.ts'

let running: RunningService
let mounted: http.Server
let base: string
let browser: Browser
beforeAll(async () => {
  running = await startService()
  // Under a path of another app, as a mounted service is reached.
  mounted = http.createServer(express().use('/support', running.service.router)).listen(0, '127.0.0.1')
  await new Promise((resolve) => mounted.once('listening', resolve))
  base = `http://127.0.0.1:${(mounted.address() as AddressInfo).port}/support`
  const executablePath = process.env['CRM_TEST_CHROMIUM'] ?? ''
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
}, 60_000)
afterAll(async () => {
  await browser.close()
  mounted.closeAllConnections()
  await new Promise((resolve) => mounted.close(resolve))
  await running.stop()
})

const newPassword = 'a sentence that nobody forgets'
const post = (path: string, body: object, token?: string) =>
  call(running.url, { method: 'POST', path, body, token })

/** Opens a page, and collects what the browser complains about and each request that leaves the service. */
async function open(address: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // The browser also logs a refused request.
    if (message.type() === 'error' && !/40\d|422/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) complaints.push(request.url())
    if (request.url().includes('token')) complaints.push(request.url())
  })
  await page.goto(address)
  return { page, complaints }
}

async function violationsOf(page: Page): Promise<unknown> {
  await page.evaluate(axe.source)
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
  )
}

test('a person sets a new password on the page of the link, which sends the token to no other place', {
  timeout: 60_000,
}, async () => {
  const { email } = await registerTenant(running.url)
  await post('/api/auth/password-reset', { email })
  const token = await tokenMailedTo(running.url, email)
  const { page, complaints } = await open(`${base}/account/reset#token=${token}`)
  expect(await violationsOf(page)).toEqual([])
  expect(page.url()).toBe(`${base}/account/reset`)
  await page.getByLabel('New password').fill(newPassword)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('Your password is changed').waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect((await post('/api/auth/login', { email, password: newPassword })).status).toBe(200)
  expect(complaints).toEqual([])
})

test('an invited person joins on the page of the link, also where a stranger has used the e-mail', {
  timeout: 60_000,
}, async () => {
  const owner = await registerTenant(running.url)
  const email = 'page@example.com'
  await post('/api/auth/register', { tenantName: 'Other', email, password })
  const invited = await post('/api/v1/users', { email, role: 'agent' }, owner.token)
  const { page, complaints } = await open(`${base}/account/invite#token=${invited.body.data.inviteToken}`)
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByLabel('Use a password of its own for this team').check()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByText('You have joined').waitFor()
  const body = { email, password: newPassword, tenantId: owner.tenant._id }
  expect((await post('/api/auth/login', body)).status).toBe(200)
  await page.getByRole('link', { name: 'Open the console' }).click()
  await page.waitForURL(`${base}/console/`)
  expect(complaints).toEqual([])
})

test('a link without its token says so, and other names under the path are not found', async () => {
  const { page } = await open(`${base}/account/reset`)
  await page.getByText('This link is not complete').waitFor()
  expect(await page.locator('form').isVisible()).toBe(false)
  for (const name of ['reset.html', '../account', 'constructor', 'reset/'])
    expect((await fetch(`${base}/account/${name}`)).status).toBe(404)
})
