import { type FieldSpec, type Names, sentenceOf } from './names.ts'

/** One operation, with the names and texts of its files. */
export interface NewOperation {
  readonly names: Names
  /** `list`, `get`, `create` and `delete` are generated completely; any other operation gets only the frame. */
  readonly verb: string
  readonly fields: readonly FieldSpec[]
  /** Ids of the kind begin with it. */
  readonly prefix: string
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
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
}

export function routeOf({ names, verb }: NewOperation): Route {
  const path = `/api/v1/${names.pluralPath}`
  if (verb === 'list') return { method: 'GET', path }
  if (verb === 'create') return { method: 'POST', path }
  if (verb === 'get') return { method: 'GET', path: `${path}/{id}` }
  if (verb === 'delete') return { method: 'DELETE', path: `${path}/{id}` }
  return { method: 'POST', path: `${path}/{id}/${kebab(verb)}` }
}

const summaries: Readonly<Record<string, (names: Names) => string>> = {
  list: ({ pluralWords }) => `List ${pluralWords}, newest first`,
  get: ({ singularWords }) => `Get one ${singularWords}`,
  create: ({ singularWords }) => `Create a ${singularWords}`,
  delete: ({ singularWords }) => `Delete a ${singularWords}`,
}

const requests: Readonly<Record<string, (names: Names) => string>> = {
  list: () => '{ query: z.object(pageQuery(20)) }',
  create: ({ Singular }) => `{ body: create${Singular}Body }`,
}

const responses: Readonly<Record<string, (names: Names) => string>> = {
  list: ({ singular }) => `listOf(${singular})`,
  delete: () => 'messageReply',
}

const audits: Readonly<Record<string, string>> = { create: 'created', delete: 'deleted' }

/** The declaration in core, without the imports. */
export function declarationOf(operation: NewOperation): string {
  const { names, verb } = operation
  const { method, path } = routeOf(operation)
  const isRead = method === 'GET'
  const action = audits[verb] ? `${names.singular}.${audits[verb]}` : 'none'
  const lines = [
    `  id: '${names.plural}.${verb}',`,
    `  method: '${method}',`,
    `  path: '${path}',`,
    isRead ? "  auth: sessionOrKey('read:conversations')," : "  auth: session('admin'),",
    ...(isRead ? [] : [`  audit: '${action}',`]),
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
    '../contract/define-operation.ts': ['defineOperation', 'session', 'sessionOrKey'],
    '../contract/envelopes.ts': ['dataOf', 'listOf', 'messageReply'],
    '../shared/common-fields.ts': ['byId'],
    '../shared/page.ts': ['pageQuery'],
    [`./${singularPath}.ts`]: [singular, `create${Singular}Body`],
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
  delete: ({ names }) => `  if ((await store.${names.plural}.find(params.id)) === undefined) throw notFound()
  return {
    change: { writes: [{ op: 'remove', kind: '${names.plural}', id: params.id }], events: [] },
    audit: { action: '${names.singular}.deleted', target: { type: '${names.singular}', _id: params.id } },
    reply: { success: true, message: '${sentenceOf(names.singular)} deleted' },
  }`,
}

const contexts: Readonly<Record<string, string>> = {
  list: '{ store }, { query }',
  create: '{ ids, tenantId, now }, { body }',
}

export function handlerText(operation: NewOperation): string {
  const { names, verb } = operation
  const name = exportOf(operation)
  const body = (handlers[verb] ?? handlers['get'])?.(operation) ?? ''
  const needs = (text: string, line: string) => (body.includes(text) ? line : '')
  const fromCore = [
    ...(body.includes(`: ${names.Singular} =`) ? [`type ${names.Singular}`] : []),
    `type ${name}`,
    ...(body.includes('notFound') ? ['notFound'] : []),
  ]
  const imports = [
    `import { ${fromCore.join(', ')} } from '@crmkit/core'\n`,
    needs('pageReply', "import { pageReply } from '../../shared/reply-page.ts'\n"),
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
  moment: "'2030-01-01T00:00:00.000Z'",
  flag: 'true',
  number: '1',
}

/** A body with every required field; texts say `text`. */
export function bodyOf(fields: readonly FieldSpec[], text = sampleValues.text): string {
  const values = fields
    .filter(({ isNullable }) => !isNullable)
    .map(({ name, type }) => `${name}: ${type === 'text' ? text : sampleValues[type]}`)
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

export function cliCommandText(operation: NewOperation): string | undefined {
  const { names, verb, fields, prefix } = operation
  const { plural, Singular, singularWords, pluralWords, pluralPath } = names
  const texts = fields.filter(({ type }) => type === 'text')
  const flags = texts.map((field) => `--${kebab(field.name)} '…'`).join(' ')
  const options = texts.map(
    (field) => `.option('--${kebab(field.name)} <text>', 'the ${kebab(field.name).replaceAll('-', ' ')}')`,
  )
  const asked = texts
    .filter(({ isNullable }) => !isNullable)
    .map((field) => `${field.name}: '${sentenceOf(field.name)} of the ${singularWords}'`)
  const specs: Readonly<Record<string, string>> = {
    list: `listCommand({
  description: 'List the ${pluralWords}.',
  examples: ['crm ${pluralPath} list'],
  columns,
  fetchPage: ({ crm }, query) => crm.${plural}.list(query),
})`,
    get: `getCommand({
  description: 'Show a ${singularWords}.',
  examples: ['crm ${pluralPath} get ${prefix}_01J8ZQ4W7N'],
  columns,
  fetch: ({ crm, id }) => crm.${plural}.get(id),
})`,
    create: `createCommand({
  description: 'Create a ${singularWords}.',
  examples: ["crm ${pluralPath} create ${flags}"],
  need: 'session',
  columns,
  options: (command) => command${options.join('')},
  ask: { ${asked.join(', ')} },
  send: ({ crm, input }) => crm.${plural}.create(input),
  done: 'Created the ${singularWords}.',
})`,
    delete: `deleteCommand({
  description: 'Delete a ${singularWords}.',
  examples: ['crm ${pluralPath} delete ${prefix}_01J8ZQ4W7N --yes'],
  need: 'session',
  question: (id) => \`Delete \${id}?\`,
  send: ({ crm, id }) => crm.${plural}.delete(id),
})`,
  }
  const text = specs[verb]
  return text && `const ${verb}${Singular} = ${text}\n\n`
}
