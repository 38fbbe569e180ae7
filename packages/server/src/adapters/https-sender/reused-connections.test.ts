import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createInterface } from 'node:readline'
import { setImmediate as nextTick } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { useSenderHarness } from '../../../test/support/sender-harness.ts'

const { certificate, openSender, onCleanup, post } = useSenderHarness()

async function startReceiver(): Promise<string> {
  const { key, cert, caFile } = certificate()
  const [keyFile, certFile] = [`${caFile}.key`, `${caFile}.cert`]
  writeFileSync(keyFile, key)
  writeFileSync(certFile, cert)
  const program = fileURLToPath(new URL('../../../test/support/receiver-program.ts', import.meta.url))
  const child = spawn(process.execPath, [program, keyFile, certFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onCleanup(() => child.kill())
  for await (const line of createInterface({ input: child.stdout })) return `https://127.0.0.1:${line}/`
  throw new Error('the receiver ended before it listened')
}

function readText(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { ca: certificate().cert, agent: false }, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      resolve(text)
    })
    asked.once('error', reject).end()
  })
}

// Node reports a fast response one tick before it reports that the request was sent. That looked like a request that
// the receiver had not read, and every third connection was closed.
test('connections are reused however fast the responses come', async () => {
  const url = await startReceiver()
  const sender = openSender()
  let sent = 0
  const sendSome = async () => {
    while (sent < 1500) {
      sent += 1
      await nextTick()
      expect((await post(sender, url, { body: 'x'.repeat(1024) })).statusCode).toBe(200)
    }
  }
  await Promise.all(Array.from({ length: 32 }, sendSome))
  expect(Number(await readText(url))).toBeLessThan(64)
})
