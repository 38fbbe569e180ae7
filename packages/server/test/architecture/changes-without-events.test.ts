import { readFileSync } from 'node:fs'
import { type Operation, operations } from '@crmkit/core'
import { expect, it } from 'vitest'

// A mirror that follows the events misses a change without one. So each such operation is named with its reason.

const page = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8')
const [, section = ''] = /^## Changes without an event\n(.*?)^## /ms.exec(page) ?? []
const named = [...section.matchAll(/^\| (`.*`) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
)

const isNamedBy = (pattern: string, id: string) =>
  pattern.endsWith('.*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern

const silent = operations
  .filter(({ method, emits = [] }: Operation) => method !== 'GET' && emits.length === 0)
  .map(({ id }) => id as string)

it('each operation that changes something emits an event, or docs/webhooks.md says once why not', () => {
  const times = silent.map((id) => [id, named.filter((pattern) => isNamedBy(pattern, id)).length])
  expect(times.filter(([, count]) => count !== 1)).toEqual([])
})

it('docs/webhooks.md names no operation that emits an event', () => {
  const unused = named.filter((pattern) => !silent.some((id) => isNamedBy(pattern, id)))
  expect(unused).toEqual([])
})
