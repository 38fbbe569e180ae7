import { type FieldSpec, type Names, sentenceOf } from './names.ts'

/** One operation, with the names and texts of its files. */
export interface NewOperation {
  readonly names: Names
  /** `list`, `get`, `create`, `update` and `delete` are generated completely; any other operation gets only the frame. */
  readonly verb: string
  readonly fields: readonly FieldSpec[]
  /** Ids of the kind begin with it. */
  readonly prefix: string
  /** Whether an operation reads one row. */
  readonly isRead?: boolean
}

/** `createCannedReply`: the export of core, and the name of its file with the handler. */
export function exportOf({ names, verb }: NewOperation): string {
  return verb === 'list' ? `list${names.Plural}` : `${verb}${names.Singular}`
}

export function handlerOf(operation: NewOperation): string {
  const name = exportOf(operation)
  return `handle${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

export function fileOfHandler(operation: NewOperation): string {
  return exportOf(operation).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
}

export function routeOf({ names, verb }: NewOperation): Route {
  const path = `/api/v1/${names.pluralPath}`
  if (verb === 'list') return { method: 'GET', path }
  if (verb === 'create') return { method: 'POST', path }
  if (verb === 'get') return { method: 'GET', path: `${path}/{id}` }
  if (verb === 'update') return { method: 'PUT', path: `${path}/{id}` }
  if (verb === 'delete') return { method: 'DELETE', path: `${path}/{id}` }
  return { method: 'POST', path: `${path}/{id}/${kebab(verb)}` }
}

const summaries: Readonly<Record<string, (names: Names) => string>> = {
  list: ({ pluralWords }) => `List ${pluralWords}, newest first`,
  get: ({ singularWords }) => `Get one ${singularWords}`,
  create: ({ singularWords }) => `Create a ${singularWords}`,
  update: ({ singularWords }) => `Update a ${singularWords}`,
  delete: ({ singularWords }) => `Delete a ${singularWords}`,
}

const requests: Readonly<Record<string, (names: Names) => string>> = {
  list: () => '{ query: z.object(pageQuery(20)) }',
  create: ({ Singular }) => `{ body: create${Singular}Body }`,
  update: ({ Singular, singularWords }) =>
    `{ params: byId('${singularWords}'), body: update${Singular}Body }`,
}

const responses: Readonly<Record<string, (names: Names) => string>> = {
  list: ({ singular }) => `listOf(${singular})`,
  delete: () => 'messageReply',
}

const audits: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
}

/** The declaration in core, without the imports. */
export function declarationOf(operation: NewOperation): string {
  const { names, verb } = operation
  const { method, path } = routeOf(operation)
  const isRead = method === 'GET'
  const audit = audits[verb]
    ? `'${names.singular}.${audits[verb]}'`
    : "none('say here why a change needs no entry')"
  const lines = [
    `  id: '${names.plural}.${verb}',`,
    `  method: '${method}',`,
    `  path: '${path}',`,
    isRead ? "  auth: sessionOrKey('read:conversations')," : "  auth: session('admin'),",
    ...(isRead ? [] : [`  audit: ${audit},`]),
    `  summary: '${summaries[verb]?.(names) ?? `${sentenceOf(verb)} a ${names.singularWords}`}',`,
    `  request: ${requests[verb]?.(names) ?? `{ params: byId('${names.singularWords}') }`},`,
    `  status: ${verb === 'create' ? 201 : 200},`,
    `  response: ${responses[verb]?.(names) ?? `dataOf(${names.singular})`},`,
  ]
  return `\nexport const ${exportOf(operation)} = defineOperation({\n${lines.join('\n')}\n})\n`
}

/** The names that a declaration may use, by the module that they come from. */
export function declarationImports({ names }: NewOperation): Readonly<Record<string, readonly string[]>> {
  const { singular, Singular, singularPath } = names
  return {
    zod: ['z'],
    '../contract/define-operation.ts': ['defineOperation', 'none', 'session', 'sessionOrKey'],
    '../contract/envelopes.ts': ['dataOf', 'listOf', 'messageReply'],
    '../shared/common-fields.ts': ['byId'],
    '../shared/page.ts': ['pageQuery'],
    [`./${singularPath}.ts`]: [singular, `create${Singular}Body`, `update${Singular}Body`],
  }
}

function rowField({ name, isNullable }: FieldSpec): string {
  return isNullable ? `    ${name}: body.${name} ?? null,` : `    ${name}: body.${name},`
}

const handlers: Readonly<Record<string, (operation: NewOperation) => string>> = {
  list: ({ names }) => `  const page = await store.${names.plural}.list(query)
  return { reply: pageReply(page, query) }`,
  get: ({ names }) => `  const ${names.singular} = await store.${names.plural}.find(params.id)
  if (${names.singular} === undefined) throw notFound()
  return { reply: { success: true, data: ${names.singular} } }`,
  create: ({ names, fields, prefix }) => `  const row: ${names.Singular} = {
    _id: ids.next('${prefix}'),
    tenantId,
${fields.map(rowField).join('\n')}
    createdAt: now,
    updatedAt: now,
  }
  return {
    change: { writes: [{ op: 'insert', kind: '${names.plural}', row }], events: [] },
    audit: { action: '${names.singular}.created', target: { type: '${names.singular}', _id: row._id } },
    reply: { success: true, data: row },
  }`,
  update: ({ names }) => `  const found = await store.${names.plural}.find(params.id)
  if (found === undefined) throw notFound()
  const before = withoutVersion(found)
  const after = updated${names.Singular}(before, body, now)
  const changed = Object.keys(changesBetween(before, after))
  if (changed.length === 0) return { reply: { success: true, data: before } }
  const { _id: id, tenantId: _tenant, createdAt: _created, ...set } = after
  return {
    change: {
      writes: [{ op: 'update', kind: '${names.plural}', id, expectVersion: found.version, set }],
      events: [],
    },
    audit: { action: '${names.singular}.updated', target: { type: '${names.singular}', _id: id }, changed },
    reply: { success: true, data: after },
  }`,
  delete: ({ names }) => `  const ${names.singular} = await store.${names.plural}.find(params.id)
  if (${names.singular} === undefined) throw notFound()
  return {
    change: { writes: [removalOf('${names.plural}', ${names.singular})], events: [] },
    audit: { action: '${names.singular}.deleted', target: { type: '${names.singular}', _id: params.id } },
    reply: { success: true, message: '${sentenceOf(names.singular)} deleted' },
  }`,
}

const contexts: Readonly<Record<string, string>> = {
  list: '{ store }, { query }',
  create: '{ ids, tenantId, now }, { body }',
  update: '{ store, now }, { params, body }',
}

export function handlerText(operation: NewOperation): string {
  const { names, verb } = operation
  const name = exportOf(operation)
  const body = (handlers[verb] ?? handlers['get'])?.(operation) ?? ''
  const needs = (text: string, line: string) => (body.includes(text) ? line : '')
  const fromCore = [
    ...(body.includes(`: ${names.Singular} =`) ? [`type ${names.Singular}`] : []),
    `type ${name}`,
    ...['changesBetween', 'notFound', `updated${names.Singular}`].filter((used) => body.includes(`${used}(`)),
  ]
  const imports = [
    `import { ${fromCore.join(', ')} } from '@crmkit/core'\n`,
    needs('pageReply', "import { pageReply } from '../../shared/reply-page.ts'\n"),
    needs('removalOf', "import { removalOf } from '../../shared/removal-of.ts'\n"),
    needs('withoutVersion', "import { withoutVersion } from '../../storage/records.ts'\n"),
    "import type { Handler } from '../handler.ts'\n",
  ]
  const context = contexts[verb] ?? '{ store }, { params }'
  return `${imports.join('')}
export const ${handlerOf(operation)}: Handler<typeof ${name}> = async (${context}) => {
${body}
}
`
}

const sampleValues: Readonly<Record<FieldSpec['type'], string>> = {
  text: "'New'",
  lines: "'New'",
  moment: "'2030-01-01T00:00:00.000Z'",
  flag: 'true',
  number: '1',
}

function isText({ type }: Pick<FieldSpec, 'type'>): boolean {
  return type === 'text' || type === 'lines'
}

/** A body with every required field; texts say `text`. */
export function bodyOf(fields: readonly FieldSpec[], text = sampleValues.text): string {
  const values = fields
    .filter(({ isNullable }) => !isNullable)
    .map(({ name, type }) => `${name}: ${isText({ type }) ? text : sampleValues[type]}`)
  return `{ ${values.join(', ')} }`
}

/** The test that a person has to write: it fails until then, and says so. */
export function testText(operation: NewOperation): string {
  const { names, verb } = operation
  const { method, path } = routeOf(operation)
  return `
it('${names.plural}.${verb} keeps a promise that is not written down yet', () => {
  expect.fail('Say here what ${method} ${path} guarantees and refuses, call it, and give this test a title')
})
`
}

/** The command in the list of its noun: everything else follows from the operation. */
export function cliCommandText({ names: { plural }, verb, fields, isRead }: NewOperation): string {
  const named = fields.find(isText)
  const reads =
    verb === 'delete' && named && isRead ? `, read: ${plural}.get, nameOf: (row) => row.${named.name}` : ''
  return `${cliFactoryOf(verb)}({ operation: ${plural}.${verb}${reads} }),`
}

export function cliFactoryOf(verb: string): string {
  return ['list', 'get', 'create', 'update', 'delete'].includes(verb) ? `${verb}Command` : 'actionCommand'
}
