import { expect, it } from 'vitest'
import { createApiKeyBody } from '../api-keys/api-key.ts'
import { listCustomers } from '../customers/customer-operations.ts'
import { createWebhookBody } from '../webhooks/webhook.ts'
import { parsePart } from './problems.ts'

it('reports all failures together, each with its field, rule and part of the request', () => {
  const body = { url: 'https://x', events: ['made.up'], retryPolicy: { maxRetries: 11 }, nmae: 'x' }
  expect(parsePart(createWebhookBody, body, 'body').problems).toEqual([
    { field: 'name', message: 'is required', rule: 'required', in: 'body' },
    expect.objectContaining({ field: 'events.0', rule: 'enum' }),
    { field: 'retryPolicy.maxRetries', message: 'must be at most 10', rule: 'max', in: 'body' },
    { field: 'nmae', message: 'is not a field of this request', rule: 'unknown_field', in: 'body' },
  ])
})

it('never repeats a rejected value', () => {
  const body = {
    name: 7,
    permissions: ['s3cret'],
    rateLimit: { requests: 1, window: 's3cret' },
    ipWhitelist: 's3cret',
  }
  const { problems = [] } = parsePart(createApiKeyBody, body, 'body')
  expect(problems.length).toBeGreaterThanOrEqual(4)
  expect(JSON.stringify(problems)).not.toContain('s3cret')
})

it.each([[null], [[]], ['text'], [7], [undefined]])('reports the body %j, which is not an object', (body) => {
  expect(parsePart(createWebhookBody, body, 'body').problems).toHaveLength(1)
})

it('reads a query: numbers, repeated and comma separated lists, defaults; unknown parameters are ignored', () => {
  const query = { page: '2', tags: ['a,b', ' c ', ''], utm_source: 'x' }
  expect(parsePart(listCustomers.request.query, query, 'query').data).toEqual({
    page: 2,
    limit: 20,
    tags: ['a', 'b', 'c'],
    sort: '-createdAt',
  })
})

it.each([
  [createApiKeyBody, { name: 'x', permissions: [] }, 'body', 'must have at least 1 item'],
  [
    createWebhookBody,
    { name: 'x'.repeat(101), url: 'https://x', events: ['user.created'] },
    'body',
    'must be at most 100 characters long',
  ],
  [listCustomers.request.query, { limit: ['1', '2'] }, 'query', 'must be given once'],
  [listCustomers.request.query, { limit: '101' }, 'query', 'must be at most 100'],
  [
    listCustomers.request.query,
    { updatedSince: '2026-01-01' },
    'query',
    'must be an ISO 8601 date and time such as 2026-01-31T09:30:00Z',
  ],
] as const)('says what is wrong in a sentence: %#', (schema, value, place, message) => {
  expect(parsePart(schema, value, place).problems).toMatchObject([{ message }])
})

it.each([
  { page: '0' },
  { page: '2147483648' },
  { page: '1.5' },
  { page: '' },
  { page: ['1', '2'] },
  { limit: '101' },
  { limit: '-1' },
  { sort: 'email' },
  { tier: 'tin' },
  { updatedSince: 'yesterday' },
])('refuses the query %j', (query) => {
  expect(parsePart(listCustomers.request.query, query, 'query').problems).toHaveLength(1)
})
