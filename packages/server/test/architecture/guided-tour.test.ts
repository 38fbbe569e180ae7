import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const page = readFileSync(`${root}AGENTS.md`, 'utf8')
const tour = page.slice(page.indexOf('## How a change travels'), page.indexOf('## To add a kind of row'))
const stops = [...tour.matchAll(/^\d+\. `([^`]+)`/gm)].map((match) => match[1] ?? '')

it('names files that exist, each once', () => {
  expect(stops.length).toBeGreaterThanOrEqual(15)
  expect(new Set(stops).size).toBe(stops.length)
  for (const stop of stops) expect([stop, existsSync(root + stop)]).toEqual([stop, true])
})
