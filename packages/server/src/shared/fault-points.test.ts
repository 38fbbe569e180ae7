import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { faultPointChannel, faultPoints, passFaultPoint } from './fault-points.ts'

const sources = fileURLToPath(new URL('..', import.meta.url))
const text = (pattern: string) =>
  globSync(pattern, { cwd: sources })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(sources + file, 'utf8'))
    .join('')

it('reports to a subscriber which point was passed', () => {
  const passed: unknown[] = []
  const note = (point: unknown) => void passed.push(point)
  subscribe(faultPointChannel, note)
  passFaultPoint('before-commit')
  unsubscribe(faultPointChannel, note)
  passFaultPoint('after-claim')
  expect(passed).toEqual(['before-commit'])
})

it.each(['sqlite', 'mongo'])('is in the code that it names, also with %s', (adapter) => {
  const world = text(`{main,http,jobs,delivery,features,ledger,mail,shared}/**/*.ts`)
  const code = world + text(`adapters/{${adapter},smtp}/**/*.ts`)
  const passed = [...code.matchAll(/passFaultPoint\('([a-z-]+)'\)/g)].map((match) => match[1])
  expect(Object.keys(faultPoints).filter((point) => !passed.includes(point))).toEqual([])
})
