import type { Operation, OperationAuth } from '../../packages/core/src/contract/define-operation.ts'
import { kebab, pascal, type SdkMethod } from './sdk-method.ts'

export const generatedNotice = '// Generated from the contract by scripts/generate.ts. Do not edit.'

/** The file of one area: a class with one method for each operation. */
export function renderResource(
  area: string,
  methods: readonly SdkMethod[],
  typeNames: readonly string[],
): string {
  const code = methods.map(renderMethod).join('\n\n')
  const types = typeNames.filter((name) =>
    new RegExp(`\\b${name}\\b`).test(code.replace(/\/\*[\s\S]*?\*\//g, '')),
  )
  const imports = [
    ...Object.entries(coreTypes).flatMap(([file, names]) => {
      const used = names.filter((name) => code.includes(name))
      return used.length > 0 ? [`import type { ${used.join(', ')} } from '../core/${file}.ts'`] : []
    }),
    "import { Resource } from '../core/resource.ts'",
    "import { routes } from './routes.gen.ts'",
    ...(types.length > 0
      ? [`import type {\n${types.map((name) => `  ${name},`).join('\n')}\n} from './types.gen.ts'`]
      : []),
  ]
  return `${imports.join('\n')}\n\n/** The operations of \`crm.${area}\`. */\nexport class ${resourceClass(area)} extends Resource {\n${code}\n}\n`
}

const coreTypes: Record<string, string[]> = {
  'api-promise': ['ApiPromise'],
  'call-options': ['CallOptions', 'MessageReply'],
  'page-promise': ['PagePromise'],
}

function resourceClass(area: string): string {
  return `${pascal(area)}Resource`
}

function renderMethod(method: SdkMethod): string {
  const { operation, params, query, body, reply } = method
  const args = params.map((name) => `${name}: string`)
  if (body) args.push(`body${body.isOptional ? '?' : ''}: ${body.type}`)
  if (query) args.push(`query?: ${query.type}`)
  args.push('options?: CallOptions')
  const input = [
    ...(params.length > 0 ? [`params: [${params.join(', ')}]`] : []),
    ...(body ? ['body'] : []),
    ...(query ? ['query'] : []),
  ]
  const [result, send] =
    reply.kind === 'list' ? [`PagePromise<${reply.type}>`, 'list'] : [`ApiPromise<${reply.type}>`, 'call']
  const given = input.length > 0 ? `{ ${input.join(', ')} }` : '{}'
  return [
    documentMethod(method),
    `  ${method.name}(${args.join(', ')}): ${result} {`,
    `    return this.requester.${send}(routes['${operation.id}'], ${given}, options)`,
    '  }',
  ].join('\n')
}

function documentMethod({ operation, reply }: SdkMethod): string {
  const { summary, description, rules = [], auth } = operation
  const lines = [`${summary}.`]
  const about = [description, ...rules.map((rule) => rule.description)].filter(Boolean)
  if (about.length > 0) lines.push('', about.join(' '))
  if (reply.kind === 'list') lines.push('', 'Await it for one page, or `for await` over it for every row.')
  if (operation.idempotency === 'secret') {
    lines.push(
      '',
      'When an answer is lost, a retry ends in a `ConflictError`: the secret is shown only once.',
    )
  }
  lines.push('', need(auth), '', `\`${operation.method} ${operation.path}\``, '', ...errors(operation))
  return `  /**\n${lines.map((line) => `   * ${line}`.trimEnd()).join('\n')}\n   */`
}

function need(auth: OperationAuth): string {
  if (auth.kind === 'none') return 'Needs no credential.'
  if (auth.kind === 'session') return `Needs a signed-in user, at least ${auth.role}; API keys are refused.`
  return `Needs the permission \`${auth.permission}\`.`
}

function errors({ auth, method, path, request }: Operation): string[] {
  const list: string[] = []
  const add = (name: string, when: string) => list.push(`@throws {${name}} ${when}`)
  if (auth.kind !== 'none') {
    add('AuthenticationError', 'no credential, or one that does not work (401)')
    add('PermissionError', 'the credential may not do this (403)')
  }
  if (path.includes('{')) add('NotFoundError', 'there is no such resource in this tenant (404)')
  if (method !== 'GET' && auth.kind !== 'none')
    add('ConflictError', 'a unique value is taken, or the state refuses it (409)')
  if (request?.body || request?.query)
    add('ValidationError', 'a field is refused; `problems` names each (422)')
  add('RateLimitError', 'too many requests; `retryAfterMs` says how long to wait (429)')
  return list
}

/** The base of the client: one property for each area. */
export function renderTree(areas: readonly string[]): string {
  const imports = [...areas].map((area) => `import { ${resourceClass(area)} } from './${kebab(area)}.gen.ts'`)
  return [
    "import type { Requester } from '../core/requester.ts'",
    ...imports.sort((a, b) => (a.slice(a.indexOf("'")) < b.slice(b.indexOf("'")) ? -1 : 1)),
    '',
    '/** Every area of the service. */',
    'export abstract class ResourceTree {',
    ...areas.map((area) => `  readonly ${area}: ${resourceClass(area)}`),
    '',
    '  constructor(requester: Requester) {',
    ...areas.map((area) => `    this.${area} = new ${resourceClass(area)}(requester)`),
    '  }',
    '}',
    '',
  ].join('\n')
}

/** The route table: what a request needs to know of its operation. */
export function renderRoutes(methods: readonly SdkMethod[]): string {
  const rows = methods.map(({ operation, reply, query }) => {
    const { id, method, path, auth } = operation
    const parts = [`method: '${method}'`, `path: '${path}'`]
    if (auth.kind === 'none') parts.push('isPublic: true')
    if (method === 'POST' && (auth.kind === 'none' || operation.idempotency === 'never'))
      parts.push('isRepeatable: false')
    if (reply.kind === 'message') parts.push('isMessage: true')
    if (reply.kind === 'list') parts.push('isList: true')
    if (reply.kind === 'list' && reply.rows) parts.push(`rows: '${reply.rows}'`)
    if (query?.canSort) parts.push('canSort: true')
    return `  '${id}': { ${parts.join(', ')} },`
  })
  return [
    "import type { Route } from '../core/route.ts'",
    '',
    '/** Every operation by its id. */',
    'export const routes = {',
    ...rows,
    '} as const satisfies Record<string, Route>',
    '',
    'export type OperationId = keyof typeof routes',
    '',
  ].join('\n')
}
