import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, password, registerTenant } from '../support/call.ts'
import { makeCertificate } from '../support/https-receiver.ts'
import { serverProgram, startProgram } from '../support/programs.ts'
import { startSmtpReceiver } from '../support/smtp-receiver.ts'
import { joinAs } from './support/console-browser.ts'
import { type FirefoxPage, launchFirefox } from './support/firefox.ts'
import { pageWith, startPages } from './support/widget-browser.ts'

// A day of two agents and a visitor in Firefox. Each step has its own tests in Chromium; this one proves that nothing of it needs that browser.

const certificate = await makeCertificate()

/** A service with the mail server that its replies go to, which lives until the test ends. */
async function startWorld() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'crmkit-firefox-data-'))
  const receiver = await startSmtpReceiver({ certificate, password: 'hunter2' })
  const start = (port: string) =>
    startProgram(serverProgram, ['start', '--dev'], {
      PORT: port,
      CRM_DATA_DIR: dataDir,
      CRM_LOG_LEVEL: 'error',
      CRM_MAIL_ALLOW_CIDRS: '127.0.0.0/8',
      CRM_MAIL_CA_FILE: certificate.caFile,
    })
  let service = await start('0')
  const pages = await startPages()
  const firefox = await launchFirefox()
  onTestFinished(async () => {
    await firefox.close()
    await pages.close()
    await service.kill('SIGKILL')
    await receiver.stop()
    certificate.remove()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return {
    url: service.url,
    receiver,
    pages,
    firefox,
    restart: async () => {
      await service.kill('SIGTERM')
      service = await start(new URL(service.url).port)
    },
  }
}

type World = Awaited<ReturnType<typeof startWorld>>

/** A team of two with an inbox for mail and one for the chat. */
async function makeTeam({ url, receiver }: World) {
  const { token, email: owner } = await registerTenant(url)
  const ask = async (method: string, at: string, body?: object) => {
    const response = await call(url, { method, path: `/api/v1/${at}`, token, ...(body && { body }) })
    if (response.status > 201) throw new Error(JSON.stringify(response.body))
    return response.body.data
  }
  const [{ _id: inboxId }] = await ask('GET', 'inboxes')
  const smtp = { host: 'localhost', port: receiver.port, security: 'starttls', user: 'support' }
  await ask('PUT', `inboxes/${inboxId}`, { email: { address: 'help@acme.test', transport: 'smtp', smtp } })
  await ask('PUT', `inboxes/${inboxId}/email-credentials`, { smtpPassword: 'hunter2' })
  const { inboundToken } = await ask('POST', `inboxes/${inboxId}/inbound-token`, {})
  const chat = await ask('POST', 'inboxes', { name: 'Web', channel: 'chat', widget: { enabled: true } })
  return {
    owner,
    agent: await joinAs(url, token, 'agent'),
    key: chat.widget.publicKey as string,
    receive: async (text: string) => {
      const headers = ['From: Grace <grace@example.com>', 'To: help@acme.test', 'Subject: A broken lamp']
      const body = [...headers, 'Message-ID: <1@example.com>', '', text].join('\r\n')
      const to = `${url}/api/v1/inbound/email/${inboundToken}`
      const response = await fetch(to, {
        method: 'POST',
        headers: { 'content-type': 'message/rfc822' },
        body,
      })
      expect(response.status).toBe(200)
    },
  }
}

const field = { css: 'textarea[aria-label="New message"]' }
const send = { css: 'form.composer button[type=submit]' }
const waiting = (text: string) => ({ css: '[aria-label="Waiting to be sent"] button', text })
const row = (text: string) => ({ css: 'a.row', text })
const stored = (text: string) => ({ css: '[role=log] .message[data-message]', text })

async function signIn(page: FirefoxPage, email: string): Promise<void> {
  await page.click({ css: 'input', text: 'E-mail' })
  await page.type(email)
  await page.click({ css: 'input', text: 'Password' })
  await page.type(password)
  await page.click({ css: 'button', text: 'Sign in' })
  await page.see({ css: 'nav a', text: 'Unassigned' })
}

async function write(page: FirefoxPage, text: string): Promise<void> {
  await page.click(field)
  await page.type(text)
  await page.click(send)
}

const valueOfField = (page: FirefoxPage) => page.read(`document.querySelector('${field.css}').value`)

test('a mail and a chat are answered by two agents, with an undo, without a network and over a restart', async () => {
  const world = await startWorld()
  const team = await makeTeam(world)
  const address = `${world.url}/console/inbox/open`
  const [ada, ben] = [await world.firefox.open(address), await world.firefox.open(address)]
  await signIn(ada, team.owner)
  await signIn(ben, team.agent)

  // A mail appears to both without a reload; the reply that was sent too soon comes back, and leaves at the second time.
  await team.receive('The lamp does not switch on.')
  for (const page of [ada, ben]) await page.click(row('A broken lamp'))
  await ada.see({ css: '.thread-pane', text: 'Ben agent is looking' })
  await write(ada, 'Is it plugged in')
  await ada.click(waiting('Undo'))
  await expect.poll(() => valueOfField(ada)).toBe('Is it plugged in')
  expect(world.receiver.mails).toEqual([])
  await write(ada, '?')
  await ada.click(waiting('Send now'))
  for (const page of [ada, ben]) await page.see(stored('Is it plugged in?'))
  await expect.poll(() => world.receiver.mails.map(({ to }) => to)).toEqual([['grace@example.com']])

  // A visitor in the widget, on a page of another site.
  const shop = await world.firefox.open(world.pages.add(pageWith({ url: world.url, key: team.key })))
  await shop.click({ css: 'button', text: 'Open chat' })
  const chat = await shop.frame('/widget/')
  await chat.click({ css: 'textarea' })
  await chat.type('Do you ship to Norway?')
  await chat.click({ css: 'button', text: 'Send' })
  await ben.click(row('Do you ship to Norway?'))
  await ben.see(stored('Do you ship to Norway?'))
  await write(ben, 'Yes, each Friday.')
  await ben.click(waiting('Send now'))
  await chat.see({ css: '[role=log]', text: 'Yes, each Friday.' })

  // Without a network the reply stays, with its reason, and leaves by itself.
  await ada.setOffline(true)
  await write(ada, 'The new one is on its way.')
  await ada.see({ css: '[role=alert]', text: 'Not sent' })
  await ada.setOffline(false)
  await ada.see(stored('The new one is on its way.'))

  // The service ends and starts again; the text in the field stays, and both sides go on.
  await ben.click(field)
  await ben.type('And to Sweden')
  await world.restart()
  await chat.click({ css: 'textarea' })
  await chat.type('And Sweden?')
  await chat.click({ css: 'button', text: 'Send' })
  await ben.see(stored('And Sweden?'))
  expect(await valueOfField(ben)).toBe('And to Sweden')
  await write(ben, ', too.')
  await ben.click(waiting('Send now'))
  await chat.see({ css: '[role=log]', text: 'And to Sweden, too.' })
  for (const page of [ada, ben, shop]) expect(page.complaints).toEqual([])
}, 600_000)
