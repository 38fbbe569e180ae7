import { expect, it } from 'vitest'
import { Failure } from '../contract/failure.ts'
import { type RotatingSecret, rotatedSecret } from './secret-rotation.ts'

const now = '2026-03-01T08:00:00.000Z'
const hourLater = '2026-03-01T09:00:00.000Z'
const rotating: RotatingSecret = { secret: 'b', previous: { secret: 'a', validUntil: hourLater } }

it('creates the first secret without a previous one', () => {
  expect(rotatedSecret(undefined, { secret: 'a', overlapSeconds: 60, now })).toEqual({ secret: 'a' })
})

it.each([
  [undefined, '2026-03-02T08:00:00.000Z'],
  [null, '2026-03-02T08:00:00.000Z'],
  [3600, hourLater],
])('keeps the previous secret for an overlap of %s seconds', (overlapSeconds, validUntil) => {
  expect(rotatedSecret({ secret: 'a' }, { secret: 'b', overlapSeconds, now })).toEqual({
    secret: 'b',
    previous: { secret: 'a', validUntil },
  })
})

it('ends all previous secrets immediately without an overlap', () => {
  expect(rotatedSecret(rotating, { secret: 'c', overlapSeconds: 0, now })).toEqual({ secret: 'c' })
})

it('refuses a third secret until one of two valid secrets expires', () => {
  const rotation = { secret: 'c', overlapSeconds: 60 }
  const lastMoment = '2026-03-01T08:59:59.999Z'
  expect(() => rotatedSecret(rotating, { ...rotation, now: lastMoment })).toThrow(Failure)
  const { secret, previous } = rotatedSecret(rotating, { ...rotation, now: hourLater })
  expect([secret, previous?.secret]).toEqual(['c', 'b'])
})
