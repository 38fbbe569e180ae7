import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventTypes, type Operation, operations } from '@crmkit/core'
import express from 'express'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCrm } from '../../src/index.ts'
import { call, password } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const service = useService()
let token: string
const register = { tenantName: 'Engines', email: 'ada@example.com', password }
beforeAll(async () => {
  const { body } = await call(service.url, { method: 'POST', path: '/api/auth/register', body: register })
  token = body.data.accessToken
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers, redirect: 'manual' })
const readSpec = async () => {
  const response = await get('/api-docs/spec.json', { Authorization: `Bearer ${token}` })
  expect(response.status).toBe(200)
  // biome-ignore lint/suspicious/noExplicitAny: a document is walked, not typed
  return (await response.json()) as any
}

interface Described {
  description?: string
  $ref?: string
  properties?: Record<string, Described>
  parameters?: Parameter[]
}

interface Parameter {
  name?: string
  description?: string
  schema?: object
  $ref?: string
}

/** Several operations take most parameters: they stand among the components. */
function namedParameter(
  parameter: Parameter,
  components: { parameters: Record<string, Parameter> },
): Parameter {
  return components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter
}

interface ReceivedEvent {
  parameters: { $ref: string }[]
  requestBody: {
    content: { 'application/json': { schema: { properties: { event: { const: string } } } } }
  }
}

/**
 * Returns the path of every property below a value of the document that has no description and names no described
 * schema.
 */
function undescribedFields(value: unknown, at: string, named: Record<string, Described>): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => undescribedFields(item, at, named))
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    // An example is data: its keys belong to no schema.
    if (key === 'example') return []
    if (key !== 'properties') return undescribedFields(inner, at, named)
    return Object.entries(inner as Record<string, Described>).flatMap(([name, field]) => {
      const type = named[field.$ref?.split('/').at(-1) ?? '']
      const isDescribed = Boolean(field.description ?? type?.description)
      return [...(isDescribed ? [] : [`${at}.${name}`]), ...undescribedFields(field, `${at}.${name}`, named)]
    })
  })
}

describe('the document', () => {
  test('needs a credential: an API key reads it, and a request without one is refused [apiDocs.document]', async () => {
    expect((await get('/api-docs/spec.json')).status).toBe(401)
    const create = { name: 'K', permissions: ['read:customers'] }
    const { body } = await call(service.url, {
      method: 'POST',
      path: '/api/tenant/api-keys',
      token,
      body: create,
    })
    const response = await get('/api-docs/spec.json', { Authorization: `Bearer ${body.data.key}` })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ openapi: '3.1.0' })
  })

  test('lists exactly the declared operations, each with its access, its example and every refusal [apiDocs.document version.document]', async () => {
    const { openapi, info, paths, security } = await readSpec()
    expect([openapi, info.version]).toEqual(['3.1.0', '1.1.0'])
    const listed = Object.entries<Record<string, { operationId: string }>>(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`,
      ),
    )
    const declared = operations.map(({ method, path, id }) => `${method} ${path} ${id.replaceAll('.', '_')}`)
    expect(listed.sort()).toEqual(declared.sort())
    for (const { method, path, auth, request, status } of operations as readonly Operation[]) {
      const described = paths[path][method.toLowerCase()]
      expect((described.security ?? security).length === 0, path).toBe(auth.kind === 'none')
      expect(Object.keys(described.responses)).toContain(String(status))
      expect(Object.keys(described.responses)).toEqual(expect.arrayContaining(['400', '429', '500', '503']))
      if (request?.body) expect(described.requestBody.content['application/json'].example).toBeDefined()
    }
  })

  test('describes every parameter, every field of every schema and every schema', async () => {
    const { paths, components } = await readSpec()
    const named = Object.entries<Described>(components.schemas)
    const missing = named.flatMap(([name, schema]) => [
      ...(schema.description || !schema.properties ? [] : [name]),
      ...undescribedFields(schema, name, components.schemas),
    ])
    let parameterCount = 0
    for (const [path, methods] of Object.entries<Record<string, Described>>(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const at = `${method} ${path}`
        parameterCount += operation.parameters?.length ?? 0
        for (const parameter of operation.parameters ?? []) {
          const { name, description } = namedParameter(parameter, components)
          if (!description) missing.push(`${at} parameter ${name}`)
        }
        missing.push(...undescribedFields(operation, at, components.schemas))
      }
    }
    expect(missing).toEqual([])
    expect(parameterCount).toBeGreaterThan(100)
    const planted = { type: 'object', properties: { a: { description: 'A.', properties: { b: {} } } } }
    expect(undescribedFields(planted, 'planted', {})).toEqual(['planted.a.b'])
  })

  test('names its parts, and every reference leads to one of them', async () => {
    const spec = await readSpec()
    const references = [...JSON.stringify(spec).matchAll(/"\$ref":"#\/components\/([a-z]+)\/([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(50)
    for (const [, part = '', name = ''] of references) expect(spec.components[part]).toHaveProperty([name])
    expect(Object.keys(spec.components.schemas).filter((name) => !/^[A-Z][A-Za-z0-9]+$/.test(name))).toEqual(
      [],
    )
    expect(spec.components.schemas).toHaveProperty('Customer')
    expect(spec.components.schemas).toHaveProperty('Error404')
    const links = spec.paths['/api/v1/customers'].post.responses['201'].links
    expect(links.customers_get.parameters).toEqual({ id: '$response.body#/data/_id' })
  })

  test('never closes a reference: only the named schema says which fields it refuses', async () => {
    const closed: string[] = []
    const described: string[] = []
    JSON.stringify(await readSpec(), (key, value) => {
      if (value?.$ref && 'additionalProperties' in value) closed.push(key)
      if (value?.$ref && value.description) described.push(key)
      return value
    })
    expect(closed).toEqual([])
    // The document has such references: the user of a session is one.
    expect(described).toContain('user')
  })

  test('describes each event that webhooks receive, with its signatures and every field of its body', async () => {
    const { webhooks, components } = await readSpec()
    expect(Object.keys(webhooks).sort()).toEqual([...eventTypes, 'webhook.test'].sort())
    for (const [type, { post }] of Object.entries<{ post: ReceivedEvent }>(webhooks)) {
      const { schema } = post.requestBody.content['application/json']
      expect(schema.properties.event.const).toBe(type)
      const names = post.parameters.map(
        ({ $ref }) => components.parameters[$ref.split('/').at(-1) ?? ''].name,
      )
      expect(names).toContain('webhook-signature')
      expect(undescribedFields(schema, type, components.schemas)).toEqual([])
    }
  })

  test('has at most 3.2 kB for each operation: programs that read it have limits', async () => {
    const text = JSON.stringify(await readSpec())
    expect(text.length).toBeLessThanOrEqual(3_200 * operations.length)
  })

  test('declares each refusal once, and each group of fields that repeats', async () => {
    const { paths, components } = await readSpec()
    const responses = Object.values<Record<string, { responses: Record<string, { $ref?: string }> }>>(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap((operation) => Object.entries(operation.responses))
    const inline = responses.filter(([status, { $ref }]) => Number(status) >= 400 && $ref === undefined)
    expect([responses.length > 1000, inline]).toEqual([true, []])
    const seen = new Map<string, number>()
    JSON.stringify(components.schemas, (_key, value) => {
      const text = value?.type === 'object' && value.properties ? JSON.stringify(value) : ''
      if (text.length >= 150) seen.set(text, (seen.get(text) ?? 0) + 1)
      return value
    })
    expect([...seen].filter(([, count]) => count > 1)).toEqual([])
    const { email, widget } = components.schemas.InboxWithInboundToken.properties
    expect([email.$ref, widget.$ref]).toEqual([
      '#/components/schemas/InboxEmail',
      '#/components/schemas/InboxWidget',
    ])
  })

  test('describes a moment by its format alone: with a pattern too, a generator makes a text of it', async () => {
    const moments: unknown[] = []
    const both: unknown[] = []
    JSON.stringify(await readSpec(), (key, value) => {
      if (value?.format === 'date-time') moments.push(key)
      if (value?.format === 'date-time' && value.pattern) both.push(key)
      return value
    })
    expect([moments.length > 100, both]).toEqual([true, []])
  })

  test('gives no event a tag of an operation: a generator writes one file for each tag, and the second replaces the first', async () => {
    const { paths, webhooks, tags } = await readSpec()
    const tagsOf = (items: Record<string, Record<string, { tags: string[] }>>) =>
      new Set(
        Object.values(items).flatMap((methods) =>
          Object.values(methods).flatMap((described) => described.tags.map((tag) => tag.toLowerCase())),
        ),
      )
    const ofEvents = tagsOf(webhooks)
    expect([...ofEvents].filter((tag) => tagsOf(paths).has(tag))).toEqual([])
    const described = new Set(tags.map(({ name }: { name: string }) => name.toLowerCase()))
    expect([...ofEvents, ...tagsOf(paths)].filter((tag) => !described.has(tag))).toEqual([])
  })

  test('declares every property that it demands, so that a valid request exists', async () => {
    const undeclared = (node: unknown, at: string): string[] => {
      if (typeof node !== 'object' || node === null) return []
      const { required, properties } = node as { required?: unknown; properties?: object }
      const missing =
        Array.isArray(required) && properties !== undefined
          ? required.filter((name) => !Object.hasOwn(properties, name)).map((name) => `${at}: ${name}`)
          : []
      return [
        ...missing,
        ...Object.entries(node).flatMap(([key, inner]) => undeclared(inner, `${at}/${key}`)),
      ]
    }
    const spec = await readSpec()
    expect(undeclared(spec, '')).toEqual([])
    expect(undeclared({ required: ['module'], properties: { file: {} } }, 'planted')).toEqual([
      'planted: module',
    ])
    const form =
      spec.paths['/api/extcrm/integrations/{id}/files'].post.requestBody.content['multipart/form-data']
    expect(form.schema.properties.module.enum).toContain('Contacts')
  })

  test('demands a body exactly where an empty one would be refused', async () => {
    const { paths } = await readSpec()
    const required = (path: string, method: string) => paths[path][method].requestBody.required
    expect(required('/api/v1/customers', 'post')).toBe(true)
    expect(required('/api/v1/customers/{id}', 'put')).toBe(false)
    expect(required('/api/v1/conversations', 'post')).toBe(true)
    expect(required('/api/v1/webhooks/{id}/rotate-secret', 'post')).toBe(false)
  })

  test('describes a parameter as the value that it means, not as the text that transports it', async () => {
    const { paths, components } = await readSpec()
    const parameters: Parameter[] = paths['/api/v1/customers'].get.parameters
    const schemas = Object.fromEntries(
      parameters.map((one) => namedParameter(one, components)).map(({ name, schema }) => [name, schema]),
    )
    expect(schemas['limit']).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 20 })
    expect(schemas['tags']).toMatchObject({ type: 'array' })
  })
})

describe('the page', () => {
  test('is static, holds no data, and loads nothing from other origins [apiDocs.page]', async () => {
    const response = await get('/api-docs/')
    const html = await response.text()
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//)
    expect(html).not.toContain('/api/v1/')
    for (const [, file = ''] of html.matchAll(/(?:src|href)="([a-z][^":]*)"/g)) {
      const asset = await get(`/api-docs/${file}`)
      expect([file, asset.status]).toEqual([file, 200])
      expect((await asset.text()).length).toBeGreaterThan(100)
    }
  })

  test('serves its own files and no others', async () => {
    expect((await get('/api-docs')).headers.get('location')).toBe('api-docs/')
    for (const path of ['index.html', '..%2fcompose.ts', 'serve-api-docs.ts', 'constructor', 'a/b']) {
      expect((await get(`/api-docs/${path}`)).status, path).toBe(404)
    }
    const post = await fetch(`${service.url}/api-docs/`, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('works under the path of another app, which the document then names', async () => {
    const crm = await createCrm({ temporary: true, logLevel: 'silent' })
    const app = express().use('/support', crm.router)
    const server = createServer(app)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/support`
    const { body } = await call(url, { method: 'POST', path: '/api/auth/register', body: register })
    expect((await fetch(`${url}/api-docs`)).url).toBe(`${url}/api-docs/`)
    const spec = await fetch(`${url}/api-docs/spec.json`, {
      headers: { Authorization: `Bearer ${body.data.accessToken}` },
    })
    expect(await spec.json()).toMatchObject({ servers: [{ url: '/support' }] })
    server.close()
    await crm.stop()
  })
})
