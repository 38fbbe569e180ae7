import { expect } from 'vitest'
import { type Call, call } from '../support/call.ts'

const msPerKilobyte = 5
/** The fixed cost of any request: a password is hashed, a row is committed, a delivery begins. */
const msPerRequest = 200
/** The smallest of several measurements counts: other work of the process may fall into one of them. */
const measurements = 3

/** Expects that the request costs little processor time for its length; returns the status of its response. */
export async function expectFairCost(url: string, request: Call, what: string): Promise<number> {
  const headers = Object.values(request.headers ?? {}).join('')
  const bytes = request.path.length + headers.length + Buffer.byteLength(request.rawBody ?? '')
  const allowedMs = msPerRequest + (msPerKilobyte * bytes) / 1000
  const costs: number[] = []
  let status = 0
  while (costs.length < measurements && costs.every((ms) => ms > allowedMs)) {
    const before = process.cpuUsage()
    ;({ status } = await call(url, request))
    const { user, system } = process.cpuUsage(before)
    costs.push((user + system) / 1000)
  }
  expect(Math.min(...costs), what).toBeLessThanOrEqual(allowedMs)
  expect(status, what).toBeLessThan(500)
  return status
}
