import { afterAll, expect, it } from 'vitest'
import { makeEvent, signedDelivery, testSecret } from '../../packages/sdk/src/testing/index.ts'
import { type Program, startProgram } from '../../packages/server/test/support/programs.ts'

let receiver: Program | undefined
afterAll(() => receiver?.kill('SIGTERM'))

it('prints a signed event once, refuses an unsigned one and continues', async () => {
  const env = { PORT: '0', CRM_WEBHOOK_SECRET: testSecret }
  const program = await startProgram('examples/express-receiver/receiver.ts', [], env)
  receiver = program
  const post = async (body: string, headers: Readonly<Record<string, string>>) =>
    (await fetch(program.url, { method: 'POST', body, headers })).status
  const event = makeEvent('customer.created')
  const { body, headers } = await signedDelivery(event)
  expect(await post(body, { 'content-type': 'application/json' })).toBe(400)
  expect(await post(body, headers)).toBe(200)
  expect(await post(body, headers)).toBe(200)
  const last = makeEvent('customer.updated')
  const signed = await signedDelivery(last)
  expect(await post(signed.body, signed.headers)).toBe(200)
  await program.waitForLine(new RegExp(last.id))
  expect(program.lines.slice(1)).toEqual([
    expect.stringMatching(`^verified customer\\.created ${event.id} \\{`),
    expect.stringMatching(`^verified customer\\.updated ${last.id} \\{`),
  ])
})
