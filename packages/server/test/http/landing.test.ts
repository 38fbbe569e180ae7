import { expect, it } from 'vitest'
import { useService } from '../support/use-service.ts'

const running = useService({ CRM_CONSOLE: 'off' })

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

it('shows a browser at / the version, the health, the reference and the next commands, each link a page', async () => {
  const response = await fetch(`${running.url}/`, { headers: html })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const page = await response.text()
  expect(page).toMatch(/version \d+\.\d+\.\d+/)
  expect(page).toContain('storage: ok')
  expect(page).toContain(`crm init --base-url ${running.url}\n`)
  const links = [...page.matchAll(/href="(\/[^"]*)"/g)].map(([, link]) => link)
  expect(links).toEqual(expect.arrayContaining(['/api-docs/', '/api/v1/health']))
  for (const link of links) expect([link, (await fetch(running.url + link)).status]).toEqual([link, 200])
})

it('responds to a program at / with the same as JSON, and refuses other methods in the envelope', async () => {
  const response = await fetch(`${running.url}/?a=1`)
  expect([response.status, response.headers.get('x-request-id')]).toEqual([200, expect.any(String)])
  expect(await response.json()).toMatchObject({
    success: true,
    data: { service: 'crmkit', status: 'ok', reference: '/api-docs/', health: '/api/v1/health' },
  })
  const posted = await fetch(`${running.url}/`, { method: 'POST' })
  expect([posted.status, await posted.json()]).toMatchObject([405, { code: 'METHOD_NOT_ALLOWED' }])
})

it('writes nothing of a request into the page as markup, and lets no script run', async () => {
  const { request } = await import('node:http')
  const { hostname, port } = new URL(running.url)
  const page = await new Promise<string>((resolve, reject) => {
    const headers = { ...html, host: 'evil"><script>alert(1)</script>' }
    request({ hostname, port, path: '/', headers }, (res) => {
      let text = ''
      res.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      res.on('end', () => resolve(text))
    })
      .on('error', reject)
      .end()
  })
  expect(page).not.toContain('<script')
})
