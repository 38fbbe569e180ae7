import { describe, expect, it } from 'vitest'
import { compareWithRelease } from './check-api-changes.ts'
import { breakingChanges, type Document } from './compare-documents.ts'

const path = '/things/{id}'

interface Parts {
  body?: object
  required?: readonly string[]
  response?: object
  parameters?: readonly object[]
  event?: object
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

function documentOf({
  body = {},
  required = [],
  response = {},
  parameters = [],
  event = {},
}: Parts): Document {
  const schema = { type: 'object', properties: body, required, additionalProperties: false }
  const reply = { type: 'object', properties: response, required: Object.keys(response) }
  return {
    paths: {
      [path]: {
        put: {
          parameters,
          requestBody: json({ $ref: '#/components/schemas/PutThing' }),
          responses: { 200: { $ref: '#/components/responses/Done' }, 404: { description: 'No' } },
        },
      },
    },
    webhooks: { 'thing.created': { post: { requestBody: json({ type: 'object', properties: event }) } } },
    components: { schemas: { PutThing: schema }, responses: { Done: json(reply) } },
  }
}

const changesOf = (before: Parts, after: Parts) => breakingChanges(documentOf(before), documentOf(after))

const text = { type: 'string' }
const nullable = { type: ['string', 'null'] }
const words = (...list: string[]) => ({ type: 'string', enum: list })
const open = (...list: string[]) => ({ type: 'string', 'x-extensible-enum': list })
const query = (more: object = {}) => ({ in: 'query', name: 'q', schema: text, ...more })

describe('a change that breaks clients', () => {
  it.each<[string, Parts, Parts, string]>([
    ['a field of a request that is absent', { body: { a: text } }, {}, 'body a: is absent'],
    ['a new required field', {}, { body: { a: text }, required: ['a'] }, 'body a: is required'],
    ['a narrower type', { body: { a: nullable } }, { body: { a: text } }, 'body a: takes no null any more'],
    [
      'a word that is absent',
      { body: { a: words('x', 'y') } },
      { body: { a: words('x') } },
      'body a: takes no "y"',
    ],
    [
      'a text that becomes a word',
      { body: { a: text } },
      { body: { a: words('x') } },
      'body a: takes the words of a list alone',
    ],
    [
      'a lower bound',
      { body: { a: { ...text, maxLength: 9 } } },
      { body: { a: { ...text, maxLength: 8 } } },
      'body a: has a narrower maxLength',
    ],
    ['a parameter that is absent', { parameters: [query()] }, {}, 'query q: is absent'],
    [
      'a required parameter',
      { parameters: [query()] },
      { parameters: [query({ required: true })] },
      'query q: is required',
    ],
    ['a field of a response that is absent', { response: { a: text } }, {}, 'response a: is absent'],
    [
      'a response that may be null',
      { response: { a: text } },
      { response: { a: nullable } },
      'response a: may be null',
    ],
    [
      'a new word of a closed list',
      { response: { a: words('x') } },
      { response: { a: words('x', 'y') } },
      'response a: may be "y"',
    ],
    [
      'a field of the items of a list',
      { response: { a: { type: 'array', items: nullable } } },
      { response: { a: { type: 'array', items: { type: 'number' } } } },
      'response a items: may be number',
    ],
  ])('%s', (_, before, after, change) => {
    expect(changesOf(before, after)).toEqual([`PUT ${path} ${change}`])
  })

  it('a field of an event that is absent, an event and an operation that are absent', () => {
    expect(changesOf({ event: { a: text } }, {})).toEqual(['the event thing.created body a: is absent'])
    expect(breakingChanges(documentOf({}), { paths: {} })).toEqual([
      `PUT ${path}: is absent`,
      'the event thing.created: is absent',
    ])
  })
})

it.each<[string, Parts, Parts]>([
  ['a new field that a request may leave out', {}, { body: { a: text } }],
  ['a wider type of a request', { body: { a: text } }, { body: { a: { anyOf: [text, { type: 'null' }] } } }],
  ['a new word of a request', { body: { a: words('x') } }, { body: { a: words('x', 'y') } }],
  ['a new field of a response', {}, { response: { a: text } }],
  ['a response that is never null any more', { response: { a: nullable } }, { response: { a: text } }],
  [
    'a list of a response that becomes open',
    { response: { a: words('x') } },
    { response: { a: open('x', 'y') } },
  ],
  ['a parameter that may be left out', {}, { parameters: [query()] }],
])('%s breaks no client', (_, before, after) => {
  expect(changesOf(before, after)).toEqual([])
})

it('a schema that refers to itself is compared once', () => {
  const tree = { type: 'object', properties: { inner: { $ref: '#/components/schemas/Tree' } } }
  const withTree = (more: object): Document => {
    const document = documentOf({ response: { tree: { $ref: '#/components/schemas/Tree' } } })
    const { schemas, ...others } = document.components ?? {}
    const Tree = { ...tree, properties: { ...tree.properties, ...more } }
    return { ...document, components: { ...others, schemas: { ...schemas, Tree } } }
  }
  expect(breakingChanges(withTree({ name: text }), withTree({}))[0]).toMatch(/response tree name: is absent$/)
})

describe('the check', () => {
  const release = { version: '1.0.0', commit: 'c0ffee' }
  const document = JSON.stringify(documentOf({}))
  const git = () => JSON.stringify(documentOf({ body: { a: text } }))
  const change = `PUT ${path} body a: is absent`

  it('refuses a breaking change that is not named, and a name that is no change', () => {
    expect(compareWithRelease(git, { release, document, accepted: [] }).problems).toEqual([
      `breaks clients of 1.0.0: ${change}`,
    ])
    const accepted = [{ change, because: 'nobody used it' }]
    expect(compareWithRelease(git, { release, document, accepted })).toEqual({ problems: [] })
    const stale = [...accepted, { change: 'PUT /x: is absent', because: 'it was old' }]
    expect(compareWithRelease(git, { release, document, accepted: stale }).problems).toEqual([
      'docs/breaking.json names what is no change since 1.0.0: PUT /x: is absent',
    ])
  })

  it('says why it compared nothing where git does not have the release', () => {
    const { problems, leftOut } = compareWithRelease(() => undefined, { release, document, accepted: [] })
    expect(problems).toEqual([])
    expect(leftOut).toMatch(/^git has no openapi.json of 1\.0\.0 \(c0ffee\)/)
  })
})
