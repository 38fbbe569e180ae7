import { describe, expect, test } from 'vitest'
import { packageLine, readManifest, readPackageLine, readPackagePath } from './index.ts'

const digest = 'ab'.padEnd(64, '0')
const manifest = {
  format: 'crmkit-package',
  version: '1.0',
  source: { product: 'zendesk', account: 'acme' },
  madeAt: '2026-01-31T09:30:00Z',
  files: [{ name: 'people-0001.ndjson', kind: 'people', lines: 1, bytes: 10, sha256: digest }],
  counts: { people: { total: 1 } },
}

describe('the lines of a package', () => {
  test('a field that is not known is left out and named, at any depth', () => {
    const line = JSON.stringify({
      id: '1',
      emails: [{ address: 'ada@example.com', verified: true }],
      mood: 'fine',
      createdAt: '2026-01-31T09:30:00+02:00',
    })
    expect(readPackageLine('people', line)).toEqual({
      record: { id: '1', emails: [{ address: 'ada@example.com' }], createdAt: '2026-01-31T07:30:00.000Z' },
      unknownFields: expect.arrayContaining(['emails.verified', 'mood']),
    })
  })

  test('a line that is wrong is named with its id and its reason', () => {
    expect(readPackageLine('people', '{')).toEqual({ id: null, problem: 'is no JSON' })
    expect(readPackageLine('people', '[]')).toEqual({ id: null, problem: 'is no object' })
    const read = readPackageLine(
      'conversations',
      '{"id":"7","subject":"","status":"odd","createdAt":"2026-01-01T00:00:00Z"}',
    )
    expect(read).toMatchObject({ id: '7', problem: expect.stringContaining('status') })
  })

  test('names of prototypes are fields like others', () => {
    const line = '{"id":"1","name":"x","__proto__":{"a":1},"constructor":2}'
    expect(readPackageLine('labels', line)).toMatchObject({ record: { id: '1', name: 'x' } })
  })

  test('a record of more than 1 MB is refused', () => {
    const reply = { id: '1', title: 't', content: 'é'.repeat(600_000) }
    expect(() => packageLine('replies', reply)).toThrow('at most 1 MB')
  })
})

describe('the manifest of a package', () => {
  test('a later 1.x is read, with unknown fields and kinds; 2.0 is refused', () => {
    const files = [...manifest.files, { ...manifest.files[0], kind: 'surveys', name: 'surveys-0001.ndjson' }]
    const later = { ...manifest, version: '1.7', files, colour: 'red' }
    expect(readManifest(JSON.stringify(later))).toHaveProperty('manifest.files.length', 2)
    expect(readManifest(JSON.stringify({ ...manifest, version: '2.0' }))).toMatchObject({ rule: 'version' })
  })

  test.each([
    ['a name outside of the folder', [{ ...manifest.files[0], name: '../people-0001.ndjson' }]],
    ['a name of another kind', [{ ...manifest.files[0], name: 'notes-0001.ndjson' }]],
    ['a name twice', [manifest.files[0], manifest.files[0]]],
  ])('%s is refused', (_, files) => {
    expect(readManifest(JSON.stringify({ ...manifest, files }))).toMatchObject({ rule: 'form' })
  })

  test('paths are those of the manifest, of a kind and of bytes', () => {
    expect(readPackagePath('manifest.json')).toEqual({ type: 'manifest' })
    expect(readPackagePath('messages-0012.ndjson')).toEqual({ type: 'lines', kind: 'messages' })
    expect(readPackagePath(`bytes/ab/${digest}`)).toEqual({ type: 'bytes', sha256: digest })
    for (const path of [
      '../manifest.json',
      `bytes/cd/${digest}`,
      'x.ndjson',
      'bytes/ab',
      '/messages-0001.ndjson',
    ])
      expect(readPackagePath(path)).toBeUndefined()
  })
})
