import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isOfWidget, type Operation, operations, requestExamples } from '@crmkit/core'
import { Crm } from '@crmkit/sdk'
import { describe, expect, it } from 'vitest'
import {
  downloadHandlers,
  pollHandlers,
  streamHandlers,
  systemHandlers,
  tenantHandlers,
} from '../../src/features/handlers.ts'
import { samples } from '../isolation/samples.ts'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

// An operation is declared once. Every other list of operations has exactly these.

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const every: readonly Operation[] = operations
const declared = every.map(({ id }) => id).sort()
/** The frame of the chat widget is the client of the others. */
const offered = every
  .filter((operation) => !isOfWidget(operation))
  .map(({ id }) => id)
  .sort()
const withBody = every.filter(({ request }) => request?.body !== undefined).map(({ id }) => id)

const running = useService()

it('the list of operations has no id and no route twice', () => {
  expect(new Set(declared).size).toBe(declared.length)
  const routes = every.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
  expect(new Set(routes).size).toBe(routes.length)
})

describe('the same operations have', () => {
  it('a handler [own.oneList]', () => {
    const handled = [tenantHandlers, systemHandlers, streamHandlers, downloadHandlers, pollHandlers].flatMap(
      Object.keys,
    )
    expect(handled.sort()).toEqual(declared)
  })

  it('a route that is mounted [own.oneList]', async () => {
    const unreachable: string[] = []
    for (const { id, method, path } of every) {
      const { status } = await call(running.url, { method, path: path.replaceAll(/\{\w+\}/g, 'any') })
      // Without a credential the response is 401, or a public operation's refusal of an empty body.
      if (![200, 401, 422].includes(status)) unreachable.push(`${id}: ${status}`)
    }
    expect(unreachable).toEqual([])
  })

  it('a place in the document [own.oneList]', async () => {
    const { token } = await registerTenant(running.url)
    const { body } = await call(running.url, { path: '/api-docs/spec.json', token })
    const routes = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(routes.sort()).toEqual(every.map(({ method, path }) => `${method} ${path}`).sort())
    const named = Object.values<object>(body.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId.replace('_', '.')),
    )
    expect(named.sort()).toEqual(declared)
  })

  it('a method of the client, except those that a visitor’s browser calls [own.oneList]', () => {
    const crm = new Crm({ baseUrl: 'http://crm.invalid' })
    const methods = Object.entries(crm).flatMap(([area, resource]) =>
      methodsOf(resource).map((name) => `${area}.${name}`),
    )
    // A field of a request may ask for a member beside `data`, and a form may lack a text: a further method for each.
    const further = every.flatMap(({ id, beside, upload }) =>
      [beside, upload?.without].flatMap((other) => (other ? [`${id.split('.')[0]}.${other.method}`] : [])),
    )
    expect(methods.sort()).toEqual([...offered, ...further].sort())
  })

  it('arguments with which they succeed, for the tests of isolation', () => {
    expect(Object.keys(samples).sort()).toEqual(declared)
  })

  it('an example of a body in the reference, where they take one', () => {
    expect(Object.keys(requestExamples).sort()).toEqual(withBody.sort())
  })

  it('a command that calls them, except those of a visitor’s browser; `crm api` takes any path besides [own.oneList]', () => {
    const files = globSync('packages/cli/src/**/*.ts', {
      cwd: root,
      // The generated operations name every one; a command that calls one says so.
      exclude: (name) => name.endsWith('.gen.ts') || name.endsWith('.test.ts'),
    })
    const texts = files.map((file) => readFileSync(root + file, 'utf8'))
    // A chain of calls may be broken into lines.
    const source = texts.join('\n').replaceAll(/\s+\./g, '.')
    const isCalled = (id: string) => {
      const [area = '', name = ''] = id.split('.')
      const byName = new RegExp(`\\b${area}\\.${name}\\b`).test(source)
      return byName || (source.includes(`.${area}[`) && source.includes(`'${name}'`))
    }
    expect(offered.filter((id) => !isCalled(id))).toEqual([])
  })
})

/** The names on the object and on its class, without inherited ones. */
function methodsOf(resource: unknown): string[] {
  if (typeof resource !== 'object' || resource === null) return []
  const names = [resource, Object.getPrototypeOf(resource)].flatMap((level) =>
    Object.getOwnPropertyNames(level),
  )
  return names.filter((name) => name !== 'constructor' && typeof Reflect.get(resource, name) === 'function')
}
