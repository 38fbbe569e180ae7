import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'
import { useService } from '../support/use-service.ts'

const service = useService()

const html = { accept: 'text/html' }
const get = (path: string, headers: Record<string, string> = {}, url = service.url) =>
  fetch(url + path, { headers, redirect: 'manual' })

/** The addresses of the files that a page loads. */
async function filesOf(address: string): Promise<string[]> {
  const text = await (await fetch(address)).text()
  return [...text.matchAll(/(?:src|href)="([^"]*assets[^"]*)"/g)].map(
    ([, file]) => new URL(file ?? '', address).href,
  )
}

test('a browser at / is sent to the console, and a program gets JSON', async () => {
  const page = await get('/', html)
  expect([page.status, page.headers.get('location'), page.headers.get('vary')]).toEqual([
    302,
    '/console/',
    'Accept',
  ])
  expect(await (await get('/')).json()).toMatchObject({ success: true, data: { service: 'crmkit' } })
})

test('every screen has one page, never stored, with a policy that loads nothing from elsewhere', async () => {
  for (const path of ['/console/', '/console/inbox/open/-/-/con_1', '/console/no/such/screen']) {
    const { status, headers } = await get(path)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'self'; img-src 'self' blob: data:; media-src blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
  }
  // The icon of the tab is a picture in the page: its namespace is a name, and nothing is loaded from there.
  const text = (await (await get('/console/')).text()).replace("xmlns='http://www.w3.org/2000/svg'", '')
  expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|style=|https?:/)
  expect((await get('/console')).headers.get('location')).toBe('console/')
})

test('the files have the hash of their text in their names, are stored for a year, and load under any path', async () => {
  const server = createServer(express().use('/support', service.service.router)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const mounted = `http://127.0.0.1:${(server.address() as AddressInfo).port}/support`
  for (const base of [service.url, mounted]) {
    for (const path of ['/console/', '/console/c/con_1', '/console/inbox/open/-/-/con_1']) {
      const files = await filesOf(base + path)
      // The style sheets, the script, and the part of the thread, which is asked for at the start.
      expect(files).toHaveLength(4)
      for (const file of files) {
        expect(file).toMatch(new RegExp(`^${base}/console/assets/[\\w-]+\\.(js|css)$`))
        const { status, headers } = await fetch(file)
        expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
      }
    }
  }
  const redirect = await get('/', html, mounted)
  expect(redirect.headers.get('location')).toBe('/support/console/')
  server.close().closeAllConnections()
})

test('a file of another build is a 404', async () => {
  expect((await get('/console/assets/app-AAAAAAAA.js')).status).toBe(404)
})

test('the page of a mail is in a sandbox where only its own script runs, and loads nothing from elsewhere', async () => {
  const page = await get('/console/mail-frame')
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(await page.text()) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  expect(page.headers.get('content-security-policy')).toBe(
    `sandbox allow-scripts; default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
  )
})

test('CRM_CONSOLE=off serves no console, and a browser at / gets the page with the next steps', async () => {
  const off = await startService({ CRM_CONSOLE: 'off' })
  expect((await get('/console/', html, off.url)).status).toBe(404)
  expect(await (await get('/', html, off.url)).text()).toContain('The service is running')
  await off.stop()
})
