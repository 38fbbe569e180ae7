// `npm run new -- operation AREA.NAME`: the declaration, the handler, the entries of the tests and the CLI command.
import { addImport, addMissingImports, create, type Edits, insertBefore } from './edits.ts'
import { type FieldSpec, fieldOf, type Names, namesOf, sentenceOf } from './names.ts'
import {
  bodyOf,
  cliCommandText,
  cliFactoryOf,
  declarationImports,
  declarationOf,
  exportOf,
  fileOfHandler,
  handlerOf,
  handlerText,
  type NewOperation,
  routeOf,
  testText,
} from './operation-texts.ts'

const walkCoverage = 'packages/server/test/walk/coverage.ts'
const isolation = 'packages/server/test/isolation'

interface Declared {
  readonly fields: readonly FieldSpec[]
  readonly prefix: string
}

/** The fields of a kind that `npm run new -- kind` has made, from its current declaration. */
function declaredOf(edits: Edits, { pluralPath, plural }: Names): Declared {
  const file = `packages/server/src/storage/kinds/${pluralPath}.ts`
  if (!edits.exists(file)) throw new Error(`${file} does not exist: npm run new -- kind ${plural} NAME:TYPE…`)
  const text = edits.read(file)
  const declared = text.matchAll(/^ {4}(\w+): .*?\b(nullable)?(text|moment|flag|number)\(/gim)
  const fields = [...declared].map(([, name = '', nullable, type = '']) =>
    fieldOf(`${name}:${type.toLowerCase()}${nullable ? '?' : ''}`),
  )
  return { fields, prefix: /idPrefix: '(\w+)'/.exec(text)?.[1] ?? '' }
}

function addDeclaration(edits: Edits, operation: NewOperation): void {
  const { names, verb } = operation
  const { pluralPath, singularPath, plural } = names
  const file = `packages/core/src/${pluralPath}/${singularPath}-operations.ts`
  const list = 'packages/core/src/contract/operations.ts'
  if (!edits.exists(file)) {
    create(edits, file, '')
    addImport(
      edits,
      'packages/core/src/index.ts',
      `export * from './${pluralPath}/${singularPath}-operations.ts'`,
    )
    addImport(edits, list, `import * as ${plural} from '../${pluralPath}/${singularPath}-operations.ts'`)
    const areas = 'packages/core/src/contract/areas.ts'
    const line = `  ${plural}: '${sentenceOf(plural)} of a tenant.',`
    insertBefore(edits, { file: areas, anchor: '  conversations:', line })
  }
  edits.write(file, `${edits.read(file)}${declarationOf(operation)}`)
  addMissingImports(edits, file, declarationImports(operation))
  insertBefore(edits, {
    file: list,
    anchor: '  webhooks.listWebhooks,',
    line: `  ${plural}.${exportOf(operation)},`,
  })
  if (verb !== 'create' && verb !== 'update') return
  const examples = 'packages/core/src/contract/request-examples.ts'
  const line = `  '${plural}.${verb}': ${bodyOf(operation.fields)},`
  insertBefore(edits, { file: examples, anchor: "  'webhooks.create':", line })
}

function addHandler(edits: Edits, operation: NewOperation): void {
  const { names, verb } = operation
  const folder = `packages/server/src/features/${names.pluralPath}`
  const name = fileOfHandler(operation)
  create(edits, `${folder}/${name}.ts`, handlerText(operation))
  const file = 'packages/server/src/features/handlers.ts'
  addImport(edits, file, `import { ${handlerOf(operation)} } from './${names.pluralPath}/${name}.ts'`)
  const line = `  '${names.plural}.${verb}': ${handlerOf(operation)},`
  insertBefore(edits, { file, anchor: '  ...webhookHandlers,', line })
}

/** Makes two rows for each tenant, of which a sample names one. */
function addToWorld(edits: Edits, { names, fields }: NewOperation): void {
  const { singular, pluralPath } = names
  const file = `${isolation}/world.ts`
  const post = (word: string) =>
    `await post('/api/v1/${pluralPath}', ${bodyOf(fields, `\`${word}\${marker}\``)})`
  insertBefore(edits, { file, anchor: '  apiKeyId: string', line: `  ${singular}Id: string` })
  insertBefore(edits, {
    file,
    anchor: '    apiKeyId: idOf(apiKey)',
    line: `    ${singular}Id: idOf(${singular}),`,
  })
  const line = `  const ${singular} = once(async () => {\n    ${post('Another ')}\n    return ${post('')}\n  })`
  insertBefore(edits, { file, anchor: '  const requestAccess = ', line })
}

function addToIsolation(edits: Edits, operation: NewOperation): void {
  const { names, verb, fields } = operation
  const id = `${names.plural}.${verb}`
  const { method, path } = routeOf(operation)
  if (verb === 'create') addToWorld(edits, operation)
  const body = verb === 'update' ? `, body: ${bodyOf(fields, "'Changed'")}` : ''
  const ofOne = `({ ${names.singular}Id }) => ({ params: { id: ${names.singular}Id }${body} })`
  const ofAll = verb === 'create' ? `() => ({ body: ${bodyOf(fields)} })` : '() => ({})'
  const sample = `  '${id}': ${path.includes('{id}') ? ofOne : ofAll},`
  insertBefore(edits, { file: `${isolation}/samples.ts`, anchor: "  'webhooks.list':", line: sample })
  const access = `  '${id}': '${method === 'GET' ? 'read:conversations' : 'admin'}',`
  insertBefore(edits, { file: `${isolation}/access.ts`, anchor: "  'webhooks.list':", line: access })
}

/** The compiler asks for the step of each operation in the walk. */
function addToWalk(edits: Edits, { names, verb }: NewOperation): void {
  const line = `  '${names.plural}.${verb}': { out: 'later' },`
  insertBefore(edits, { file: walkCoverage, anchor: "  'webhooks.list':", line })
}

function addTest(edits: Edits, operation: NewOperation): void {
  const file = `packages/server/test/http/${operation.names.pluralPath}.test.ts`
  if (!edits.exists(file)) create(edits, file, "import { expect, it } from 'vitest'\n")
  edits.write(file, `${edits.read(file)}${testText(operation)}`)
}

function nounText({ names, fields, prefix }: NewOperation): string {
  const { plural, Plural, Singular, singularWords, pluralPath } = names
  const columns = fields.map(({ name, type }) => {
    const time = type === 'moment' ? ', isTime: true' : ''
    return `  { title: '${sentenceOf(name)}', value: (row) => row.${name}${time} },`
  })
  return `import type { ${Singular} } from '@crmkit/sdk'
import { ${plural} } from '../operations/${pluralPath}.gen.ts'
import type { Column } from '../output/column.ts'
import { defineNoun } from './factories/define-noun.ts'

const columns: readonly Column<${Singular}>[] = [
  { title: 'Id', value: (row) => row._id },
${columns.join('\n')}
  { title: 'Created', value: (row) => row.createdAt, isTime: true, isOptional: true },
]

export const define${Plural} = defineNoun({
  name: '${singularWords}',
  prefix: '${prefix}',
  columns,
  examples: ['crm ${pluralPath} --help'],
  commands: [],
})
`
}

function addCommand(edits: Edits, operation: NewOperation): void {
  const { names, verb } = operation
  const file = `packages/cli/src/commands/${names.pluralPath}.ts`
  if (!edits.exists(file)) {
    create(edits, file, nounText(operation))
    const noun = `  {
    name: '${names.pluralPath}',
    summary: 'List, create, change and delete ${names.pluralWords}',
    load: async () => (await import('./commands/${names.pluralPath}.ts')).define${names.Plural},
  },`
    const program = 'packages/cli/src/program.ts'
    const before = edits.read(program).indexOf("    name: 'tenant',")
    if (before < 0) throw new Error(`${program} has no noun "tenant" any more: change scripts/new/ with it`)
    const start = edits.read(program).lastIndexOf('  {', before)
    const text = edits.read(program)
    edits.write(program, `${text.slice(0, start)}${noun}\n${text.slice(start)}`)
  }
  const factory = cliFactoryOf(verb)
  const module = factory === 'actionCommand' ? 'update-command' : `${verb}-command`
  const end = /(\[)?,?\s*\],\n\}\)\n$/
  if (!end.test(edits.read(file))) throw new Error(`${file} does not end with its commands`)
  const added = (_: string, first = ',') => `${first}\n    ${cliCommandText(operation)}\n  ],\n})\n`
  edits.write(file, edits.read(file).replace(end, added))
  addMissingImports(edits, file, { [`./factories/${module}.ts`]: [factory] })
}

/** Returns the steps that a person has to do. */
export function addOperation(edits: Edits, id: string): string[] {
  const [area = '', verb = ''] = id.split('.')
  if (!/^[a-z][A-Za-z]*$/.test(verb))
    throw new Error(`"${id}": an operation is AREA.NAME, as in cannedReplies.list`)
  const names = namesOf(area)
  const { fields, prefix } = declaredOf(edits, names)
  const isRead = edits
    .read('packages/core/src/contract/operations.ts')
    .includes(`  ${names.plural}.get${names.Singular},`)
  const operation: NewOperation = { names, verb, fields, prefix, isRead }
  addDeclaration(edits, operation)
  addHandler(edits, operation)
  addToIsolation(edits, operation)
  addToWalk(edits, operation)
  addTest(edits, operation)
  addCommand(edits, operation)
  const { method } = routeOf(operation)
  return [
    `packages/core/src/${names.pluralPath}/${names.singularPath}-operations.ts: who may call it, and its texts in the reference`,
    `${isolation}/access.ts: its access, entered a second time`,
    ...(method === 'GET' ? [] : ['its audit entry, and its event if there is one']),
    `${walkCoverage}: its step in the walk, or why it has none`,
    `packages/server/test/http/${names.pluralPath}.test.ts: its own test, which fails until it is written`,
    `packages/cli/src/commands/${names.pluralPath}.ts: the words of its help, where the defaults say too little`,
    'a changeset, and a row of docs/conformance.md where the specification has one',
  ]
}
