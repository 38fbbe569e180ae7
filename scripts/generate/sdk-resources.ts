import { type Area, areaDescriptions } from '../../packages/core/src/contract/areas.ts'
import { describeMethod, referenceLink, signatureOf } from './describe-method.ts'
import { kebab, pascal, type SdkMethod } from './sdk-method.ts'

export const generatedNotice = '// Generated from the contract by scripts/generate.ts. Do not edit.'

/** The file of one area: a class with one method for each operation. */
export function renderResource(
  area: Area,
  methods: readonly SdkMethod[],
  typeNames: readonly string[],
): string {
  const code = methods.map(renderMethod).join('\n\n')
  const types = typeNames.filter((name) =>
    new RegExp(`\\b${name}\\b`).test(code.replace(/\/\*[\s\S]*?\*\//g, '')),
  )
  const core = [
    ...Object.entries(coreTypes).flatMap(([file, names]) => {
      const used = names.filter((name) => code.includes(name))
      return used.length > 0 ? [`import type { ${used.join(', ')} } from '../core/${file}.ts'`] : []
    }),
    "import { Resource } from '../core/resource.ts'",
  ]
  const imports = [
    ...core.sort(byFile),
    ...(types.length > 0
      ? [`import type {\n${types.map((name) => `  ${name},`).join('\n')}\n} from './types.gen.ts'`]
      : []),
  ]
  return `${imports.join('\n')}\n\n/** ${areaDescriptions[area]} */\nexport class ${resourceClass(area)} extends Resource {\n${code}\n}\n`
}

function byFile(a: string, b: string): number {
  return a.slice(a.indexOf("'")) < b.slice(b.indexOf("'")) ? -1 : 1
}

const coreTypes: Record<string, string[]> = {
  'api-promise': ['ApiPromise'],
  'call-options': ['CallOptions', 'MessageReply', 'ReplyOptions', 'UploadOptions'],
  'event-stream': ['EventStream', 'LiveEvent', 'LogEvent', 'StreamedEvent', 'StreamOptions'],
  'log-promise': ['LogPromise'],
  'page-promise': ['PagePromise'],
  'whole-reply': ['WholeReply'],
}

/** `events.gen.ts` holds the types of the events themselves. */
export function resourceFile(area: string): string {
  return area === 'events' ? 'event-log' : kebab(area)
}

function resourceClass(area: string): string {
  return `${pascal(area)}Resource`
}

function renderMethod(method: SdkMethod): string {
  const { params, query, body, isUpload, reply } = method
  const input = [
    ...(params.length > 0 ? [`params: [${params.map(({ name }) => name).join(', ')}]`] : []),
    ...(isUpload ? ['file'] : []),
    ...(body ? ['body'] : []),
    ...(query ? ['query'] : []),
  ]
  const given = input.length > 0 ? `{ ${input.join(', ')} }` : '{}'
  const send = { plain: 'call', message: 'call' }[reply.kind as string] ?? reply.kind
  return [
    documentMethod(method),
    `  ${signatureOf(method)} {`,
    `    return this.requester.${send}({ ${routeParts(method).join(', ')} }, ${given}, options)`,
    '  }',
  ].join('\n')
}

function documentMethod(method: SdkMethod): string {
  const { summary, remarks, need, endpoint, errors } = describeMethod(method)
  const lines = [
    summary,
    ...remarks.flatMap((remark) => ['', remark]),
    '',
    `${endpoint}. ${need}`,
    '',
    ...method.params.map(({ name, description }) => `@param ${name} ${description}`),
    `@throws {${errors.map(({ name }) => name).join(' | ')}} See ${referenceLink(method)}`,
  ]
  return `  /**\n${lines.map((line) => `   * ${line}`.trimEnd()).join('\n')}\n   */`
}

/** The base of the client: one property for each area. */
export function renderTree(areas: readonly string[]): string {
  const imports = [...areas].map(
    (area) => `import { ${resourceClass(area)} } from './${resourceFile(area)}.gen.ts'`,
  )
  return [
    "import type { Requester } from '../core/requester.ts'",
    ...imports.sort(byFile),
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

/** The route table of the test kit. */
export function renderRoutes(methods: readonly SdkMethod[]): string {
  const rows = methods.map((method) => {
    const { operation, reply } = method
    const parts = routeParts(method)
    if (reply.kind === 'list') parts.push('isList: true')
    if (reply.kind === 'log') parts.push('isLog: true')
    return `  '${operation.id}': { ${parts.join(', ')} },`
  })
  return [
    "import type { Route } from '../core/route.ts'",
    '',
    '/** Every operation by its id, for the test kit. A method of the client holds its own route instead, which keeps bundles small. */',
    'export const routes = {',
    ...rows,
    '} as const satisfies Record<string, Route>',
    '',
    'export type OperationId = keyof typeof routes',
    '',
  ].join('\n')
}

/** The members of a route: everything that a request needs of its operation. */
function routeParts({ operation, reply, query }: SdkMethod): string[] {
  const { method, path, auth } = operation
  const parts = [`method: '${method}'`, `path: '${path}'`]
  if (auth.kind === 'none') parts.push('isPublic: true')
  if (method === 'POST' && (auth.kind === 'none' || operation.idempotency === 'never'))
    parts.push('isRepeatable: false')
  if (reply.kind === 'message') parts.push('isMessage: true')
  if (reply.kind === 'list' && reply.rows) parts.push(`rows: '${reply.rows}'`)
  if (query?.canSort) parts.push('canSort: true')
  return parts
}
