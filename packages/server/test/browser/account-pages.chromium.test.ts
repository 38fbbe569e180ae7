import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, password, registerTenant } from '../support/call.ts'
import { tokenMailedTo } from '../support/system-mail.ts'
import { useService } from '../support/use-service.ts'
import { signIn } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'
import { useMount } from './support/use-mount.ts'

const running = useService()
const mount = useMount(running)
const browser = useBrowser()

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
    if (!request.url().startsWith(mount.base) && !request.url().startsWith('data:'))
      complaints.push(request.url())
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

test('a person sets a new password on the page of the link, which sends the token to no other place', async () => {
  const { email } = await registerTenant(running.url)
  await post('/api/auth/password-reset', { email })
  const token = await tokenMailedTo(running.url, email)
  const { page, complaints } = await open(`${mount.base}/account/reset#token=${token}`)
  expect(await violationsOf(page)).toEqual([])
  expect(page.url()).toBe(`${mount.base}/account/reset`)
  await page.getByLabel('New password').fill(newPassword)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('Your password is changed').waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect((await post('/api/auth/login', { email, password: newPassword })).status).toBe(200)
  expect(complaints).toEqual([])
})

test('an invited person joins on the page of the link, also where a stranger has used the e-mail', async () => {
  const owner = await registerTenant(running.url)
  const email = 'page@example.com'
  await post('/api/auth/register', { tenantName: 'Other', email, password })
  const invited = await post('/api/v1/users', { email, role: 'agent' }, owner.token)
  const { page, complaints } = await open(
    `${mount.base}/account/invite#token=${invited.body.data.inviteToken}`,
  )
  await page.getByText(`invites page@example.com to the team ${owner.tenant.name}.`).waitFor()
  await page.getByLabel('First name').fill('Grace')
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByLabel('Use a password of its own for this team').check()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.waitForURL(`${mount.base}/console/**`)
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
  const body = { email, password: newPassword, tenantId: owner.tenant._id }
  const { body: session } = await post('/api/auth/login', body)
  expect(session.data.user).toMatchObject({ firstName: 'Grace', lastName: null })
  expect(complaints).toEqual([])
})

test('a colleague who is signed in to the console of the browser stays so when an invitation is accepted there', async () => {
  const owner = await registerTenant(running.url)
  const { page } = await open(`${mount.base}/console/`)
  await signIn(page, owner.email)
  const invited = await post('/api/v1/users', { email: 'beside@example.com', role: 'agent' }, owner.token)
  await page.goto(`${mount.base}/account/invite#token=${invited.body.data.inviteToken}`)
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByText('You have joined').waitFor()
  await page.getByRole('link', { name: 'Open the console' }).click()
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
  expect(await page.evaluate('JSON.stringify(localStorage)')).toContain(owner.user._id)
})

test('a link without its token says so, and other names under the path are not found', async () => {
  const { page } = await open(`${mount.base}/account/reset`)
  await page.getByText('This link is not complete').waitFor()
  expect(await page.locator('form').isVisible()).toBe(false)
  for (const name of ['reset.html', '../account', 'constructor', 'reset/'])
    expect((await fetch(`${mount.base}/account/${name}`)).status).toBe(404)
})
