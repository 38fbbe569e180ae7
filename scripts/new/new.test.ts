import { expect, it } from 'vitest'
import { type Edits, editsOf } from './edits.ts'
import { fieldOf, namesOf } from './names.ts'
import { addKind } from './new-kind.ts'
import { addOperation } from './new-operation.ts'

// Everything is written into memory, over the files of this repository.

const names = namesOf('plantedEntries')
const fields = ['title:text', 'note:linesOf(500)?', 'isShared:flag', 'usedAt:moment?'].map(fieldOf)

function newKind(): Edits {
  const edits = editsOf(process.cwd())
  addKind(edits, { names, fields, prefix: 'ple' })
  return edits
}

it('a new kind is declared, registered and described once, with a prefix that no other kind has', () => {
  const edits = newKind()
  expect([...edits.written.keys()].sort()).toEqual([
    'packages/core/src/index.ts',
    'packages/core/src/planted-entries/planted-entry.ts',
    'packages/core/src/shared/ids.ts',
    'packages/server/src/storage/kinds/planted-entries.ts',
    'packages/server/src/storage/kinds/registry.ts',
  ])
  const declaration = edits.read('packages/server/src/storage/kinds/planted-entries.ts')
  expect(declaration).toContain("defineKindOf<PlantedEntry>()('plantedEntries', {")
  expect(declaration).toContain("    note: nullableText('plain'),")
  expect(edits.read('packages/server/src/storage/kinds/registry.ts')).toContain('  plantedEntries,\n')
  expect(() => addKind(editsOf(process.cwd()), { names, fields, prefix: 'cus' })).toThrow('--prefix=LETTERS')
  expect(() => addKind(edits, { names, fields, prefix: 'plf' })).toThrow('exists already')
})

it('a new operation has its declaration, handler, test entries and command; its own test fails until it is written', () => {
  const edits = newKind()
  for (const verb of ['create', 'list', 'delete', 'share']) {
    expect(addOperation(edits, `plantedEntries.${verb}`).length).toBeGreaterThan(0)
  }
  const declared = edits.read('packages/core/src/planted-entries/planted-entry-operations.ts')
  expect(declared).toContain("audit: 'plantedEntry.created'")
  expect(declared).toContain("path: '/api/v1/planted-entries/{id}/share'")
  const handlers = edits.read('packages/server/src/features/handlers.ts')
  expect(handlers).toContain("  'plantedEntries.delete': handleDeletePlantedEntry,")
  const samples = edits.read('packages/server/test/isolation/samples.ts')
  expect(samples).toContain("'plantedEntries.create': () => ({ body: { title: 'New', isShared: true } })")
  expect(samples).toContain("'plantedEntries.share': ({ plantedEntryId }) =>")
  expect(edits.read('packages/server/test/isolation/access.ts')).toContain(
    "'plantedEntries.list': 'read:conv",
  )
  expect(edits.read('packages/server/test/walk/coverage.ts')).toContain(
    "'plantedEntries.share': { out: 'later' },",
  )
  expect(edits.read('packages/server/test/isolation/world.ts')).toContain(
    'plantedEntryId: idOf(plantedEntry)',
  )
  const test = edits.read('packages/server/test/http/planted-entries.test.ts')
  expect(test.match(/expect\.fail\('Say here what /g)).toHaveLength(4)
  const noun = edits.read('packages/cli/src/commands/planted-entries.ts')
  expect(noun).toContain('    createCommand({ operation: plantedEntries.create }),\n    listCommand({')
  expect(noun).toContain("import { plantedEntries } from '../operations/planted-entries.gen.ts'")
  expect(edits.read('packages/cli/src/program.ts')).toContain("name: 'planted-entries'")
})

it('update is a partial PUT with an audit entry, and null clears only what may be null', () => {
  const edits = newKind()
  addOperation(edits, 'plantedEntries.update')
  const declared = edits.read('packages/core/src/planted-entries/planted-entry-operations.ts')
  expect(declared).toContain("method: 'PUT'")
  expect(declared).toContain("audit: 'plantedEntry.updated'")
  const resource = edits.read('packages/core/src/planted-entries/planted-entry.ts')
  expect(resource).toContain('note: optionalLines(500)')
  expect(resource).toContain('note: body.note === undefined ? before.note : body.note,')
  expect(resource).toContain('title: body.title ?? before.title,')
})

it('refuses a name that is none, an operation of an unknown kind, and a field of an unknown type', () => {
  const edits = editsOf(process.cwd())
  expect(() => namesOf('Planted_entry')).toThrow('in the plural: cannedReplies')
  expect(() => addOperation(edits, 'plantedEntries')).toThrow('an operation is AREA.NAME')
  expect(() => addOperation(edits, 'plantedEntries.list')).toThrow('npm run new -- kind plantedEntries')
  for (const wrong of ['title:flag?', 'title:numberOf(3)', 'title:textOf()'])
    expect(() => fieldOf(wrong)).toThrow('a field is NAME:TYPE')
  expect(() => fieldOf('title:string')).toThrow('a field is NAME:TYPE')
  expect(edits.written.size).toBe(0)
})
