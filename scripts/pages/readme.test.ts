import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeEvent, signedDelivery, testSecret } from '../../packages/sdk/src/testing/index.ts'
import { findLastingPort } from '../../packages/server/test/support/free-port.ts'
import { serverProgram, startProgram } from '../../packages/server/test/support/programs.ts'
import { consoleSteps, openPageShell } from './console.ts'
import { codeBlocks, readPage, root } from './page.ts'

const page = readPage('README.md')
const atEnd: (() => unknown)[] = []
afterAll(async () => {
  for (const end of atEnd.reverse()) await end()
})

it('README: the tour works from top to bottom, as written, and the receiver verifies a change', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'crmkit-readme-'))
  atEnd.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = await startProgram(serverProgram, ['start', '--dev'], { PORT: '0', CRM_DATA_DIR: dataDir })
  atEnd.push(() => server.kill('SIGTERM'))
  const port = String(await findLastingPort())
  const shell = openPageShell({
    env: { CRM_PASSWORD: 'correct horse battery', PORT: port },
    replace: { 'http://127.0.0.1:3000': server.url, '4242': port },
  })
  atEnd.push(() => shell.close())
  const outputs = new Map<string, () => string>()
  const steps = consoleSteps(page)
  expect(steps.length).toBeGreaterThan(9)
  for (const step of steps) {
    const isEndless = /example express-receiver|webhooks listen --forward/.test(step.command)
    if (isEndless) outputs.set(step.command.split(' ').at(-1) ?? '', (await shell.start(step)).output)
    else await shell.run(step)
  }
  // The sample of `trigger`, and the customer that the tour creates.
  const received = () => outputs.get('express-receiver')?.() ?? ''
  await expect.poll(received).toMatch(/^verified customer\.created evt_\w+ .*Hopper/m)
  expect(received()).toMatch(/^verified customer\.created evt_\w+ .*Lovelace/m)
})

/** An app as Express 4 runs it: nobody waits for the promise of a handler. The package itself is not installed here. */
const express4 = `
import { createServer } from 'node:http'
export default function express() {
  let handler
  return {
    post: (_path, given) => { handler = given },
    use() {},
    listen: (port) => createServer((req, res) => { handler(req, res) }).listen(port),
  }
}
express.json = () => {}
`

describe.each(['Express 5', 'an app that ignores promises, as Express 4 does'])(
  'README: the receiver on %s',
  (host) => {
    it('survives a forged request and accepts a signed one', async () => {
      const [code = ''] = codeBlocks(page, 'ts')
      const folder = mkdtempSync(join(root, 'examples/express-receiver/tmp-readme-'))
      atEnd.push(() => rmSync(folder, { recursive: true, force: true }))
      const port = await findLastingPort()
      const own = code.replace('4242', String(port))
      const isFour = host !== 'Express 5'
      if (isFour) writeFileSync(join(folder, 'express.mjs'), express4)
      writeFileSync(join(folder, 'app.ts'), isFour ? own.replace("'express'", "'./express.mjs'") : own)
      const child = spawn(process.execPath, ['--conditions=@crmkit/source', join(folder, 'app.ts')], {
        env: { ...process.env, CRM_WEBHOOK_SECRET: testSecret },
      })
      let output = ''
      child.stdout.on('data', (text) => {
        output += text
      })
      const url = `http://127.0.0.1:${port}/hook`
      const forge = () =>
        fetch(url, { method: 'POST', body: '{}' }).then(
          ({ status }) => status,
          () => 0,
        )
      await expect.poll(forge).toBe(400)
      const { body, headers } = await signedDelivery(makeEvent('customer.created'))
      expect((await fetch(url, { method: 'POST', body, headers: { ...headers } })).status).toBe(200)
      await expect.poll(() => output).toContain('welcome ada@example.com')
      expect(child.exitCode).toBeNull()
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    })
  },
)
