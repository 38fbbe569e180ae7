import { expect, test } from 'vitest'
import { exchangedOnce } from './one-exchange.ts'

function makeExchange() {
  const clock = { ms: 0, nowMs: () => clock.ms }
  const codes: string[] = []
  const exchange = exchangedOnce(async ({ code }: { tenantId: string; code: string }) => {
    codes.push(code)
    if (code === 'refused') throw new Error('The code is refused')
    return `${code} ${codes.length}`
  }, clock)
  return { clock, codes, exchange }
}

test('a code is exchanged once, for each tenant', async () => {
  const { exchange, codes } = makeExchange()
  const [first, second, other] = await Promise.all(
    ['a', 'a', 'b'].map((tenantId) => exchange({ tenantId, code: 'one' })),
  )
  expect([first, second, other]).toEqual(['one 1', 'one 1', 'one 2'])
  expect(codes).toHaveLength(2)
})

test('the tokens of a code are held for a minute: whoever brings it later asks the vendor, who refuses it', async () => {
  const { exchange, codes, clock } = makeExchange()
  const ask = () => exchange({ tenantId: 'a', code: 'one' })
  await ask()
  clock.ms = 59_999
  expect(await ask()).toBe('one 1')
  clock.ms = 60_000
  expect(await ask()).toBe('one 2')
  expect(codes).toHaveLength(2)
})

test('a refusal is not held', async () => {
  const { exchange, codes } = makeExchange()
  const ask = () => exchange({ tenantId: 'a', code: 'refused' })
  await expect(ask()).rejects.toThrow('refused')
  await expect(ask()).rejects.toThrow('refused')
  expect(codes).toHaveLength(2)
})
