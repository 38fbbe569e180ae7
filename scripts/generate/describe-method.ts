import type { Operation, OperationAuth } from '../../packages/core/src/contract/define-operation.ts'
import type { SdkMethod } from './sdk-method.ts'

/** The path of the SDK's reference in the repository. */
export const referencePath = 'docs/reference/sdk.md'

/**
 * Base of every link from the SDK's types to a document. The project has no public address, so the links lead into the
 * installed package: its build copies the documents (see `copySdkDocs`).
 */
export const documentationBase = 'node_modules/@crmkit/sdk/dist'

/** A link that a user of the package can open. */
export function referenceLink(method: SdkMethod): string {
  return `${documentationBase}/${referencePath}#${anchorOf(method)}`
}

/** The heading's anchor in the reference. */
export function anchorOf({ operation }: SdkMethod): string {
  return `crm${operation.id}`.replaceAll('.', '').toLowerCase()
}

/** `get(id: string, options?: CallOptions): ApiPromise<Customer>` */
export function signatureOf(method: SdkMethod): string {
  const { operation, name, params, query, body, isUpload, reply } = method
  if (method.whole) return wholeSignatureOf(method, method.whole)
  const args = params.map((param) => `${param.name}: string`)
  if (isUpload) args.push('file: Blob | ReadableStream<Uint8Array>')
  if (body) args.push(`body${body.isOptional ? '?' : ''}: ${body.type}`)
  const isLive = reply.kind === 'stream' && 'live' in (operation.request?.query?.shape ?? {})
  if (query) args.push(`query?: ${query.type}${isLive ? ' & { live?: Live | undefined }' : ''}`)
  args.push(`options?: ${optionsOf({ operation, isUpload, reply })}`)
  const { kind, type } = reply
  const promises = {
    list: 'PagePromise',
    log: 'LogPromise',
    plain: 'ApiPromise',
    message: 'ApiPromise',
    download: 'Promise',
  }
  // The client marks erased and unknown events, so that a log has the same events as webhooks and streams.
  const row = kind === 'log' ? 'LogEvent' : type
  const result = kind === 'stream' ? type : `${promises[kind]}<${row}>`
  // A stream has live events only where they are asked for.
  if (isLive)
    return `${name}<Live extends boolean = false>(${args.join(', ')}): ${type}<Live extends true ? StreamedEvent | LiveEvent : StreamedEvent>`
  return `${name}(${args.join(', ')}): ${result}`
}

/** `look<Part extends …>(id: string, query: { include: … }, options?: CallOptions): ApiPromise<WholeReply<…>>` */
function wholeSignatureOf(
  { name, params, query, body, reply }: SdkMethod,
  { asks, member, memberType }: NonNullable<SdkMethod['whole']>,
): string {
  const args = params.map((param) => `${param.name}: string`)
  if (query) args.push(`query: ${query.type}`)
  if (body) args.push(`body: ${body.type} & { readonly ${asks}: NonNullable<${body.type}['${asks}']> }`)
  args.push('options?: CallOptions')
  const [generic, part] = query ? [`<Part extends keyof ${memberType}>`, ', Part'] : ['', '']
  return `${name}${generic}(${args.join(', ')}): ApiPromise<WholeReply<${reply.type}, '${member}'${part}>>`
}

function optionsOf({
  operation,
  isUpload,
  reply,
}: Pick<SdkMethod, 'operation' | 'isUpload' | 'reply'>): string {
  if (isUpload) return 'UploadOptions'
  if (reply.kind === 'stream') return 'StreamOptions'
  return operation.request?.headers ? 'ReplyOptions' : 'CallOptions'
}

/** The texts of a method's doc comment and of its chapter in the reference. */
export interface MethodDescription {
  readonly summary: string
  readonly remarks: readonly string[]
  readonly need: string
  readonly endpoint: string
  readonly errors: readonly { readonly name: string; readonly when: string }[]
}

export function describeMethod({ operation, isUpload, reply, whole }: SdkMethod): MethodDescription {
  const { summary, description, rules = [], auth, method, path } = operation
  const about = [description, ...rules.map((rule) => rule.description)].filter(Boolean).join(' ')
  const remarks = about === '' ? [] : [about]
  if (reply.kind === 'list') remarks.push('Await it for one page, or `for await` over it for every row.')
  if (reply.kind === 'log')
    remarks.push('Await it for one page, or `for await` over it to the end of the log.')
  if (reply.kind === 'stream')
    remarks.push(
      '`for await` over it. The client reconnects a broken stream at its position, and no event is lost.',
    )
  if (isUpload)
    remarks.push(
      'The client reads a stream to its end before it sends it. `openAsBlob` of `node:fs` avoids that for a file.',
    )
  if (reply.kind === 'download')
    remarks.push(
      'Returns the `Response` as soon as its headers have arrived; `timeout` and `deadline` apply until then. Read `body`, `blob()` or `text()`; `signal` aborts that too. The name of the file is in `content-disposition`.',
    )
  if (whole) remarks.push(`Returns the whole reply: \`data\`, and \`${whole.member}\` beside it.`)
  if (operation.idempotency === 'secret') {
    remarks.push(
      'If the response is lost, a retry throws a `ConflictError`, because the secret is shown only once.',
    )
  }
  const endpoint = `\`${method} ${path}\``
  return { summary: `${summary}.`, remarks, need: needOf(auth), endpoint, errors: errorsOf(operation) }
}

function needOf(auth: OperationAuth): string {
  if (auth.kind === 'none') return 'Needs no credential.'
  if (auth.kind === 'session') return `Needs a signed-in user, at least ${auth.role}; API keys are refused.`
  if (auth.kind === 'credential') return 'Needs an API key or a session.'
  if (auth.kind === 'widgetSession') return 'Needs the session of a visitor.'
  if (auth.kind === 'anyOf') return `Needs the permission \`${auth.permissions.join('` or `')}\`.`
  if (auth.role !== undefined) {
    const needed = [auth.permission, ...(auth.also ?? [])].join('` and `')
    return `Needs a signed-in user, at least ${auth.role}, or an API key with \`${needed}\`.`
  }
  return `Needs the permission \`${auth.permission}\`.`
}

function errorsOf({
  auth,
  method,
  path,
  request,
  upload,
  mayConflict,
  mayBeGone,
}: Operation): MethodDescription['errors'] {
  const list: { name: string; when: string }[] = []
  const add = (name: string, when: string) => list.push({ name, when })
  if (auth.kind !== 'none') {
    add('AuthenticationError', 'the credential is missing or refused (401)')
    add('PermissionError', 'the credential may not do this (403)')
  }
  const gone = mayBeGone ? ', or it was removed (410)' : ''
  if (path.includes('{')) add('NotFoundError', `the tenant has no such resource (404)${gone}`)
  if ((method !== 'GET' || mayConflict) && auth.kind !== 'none')
    add('ConflictError', 'a unique value is taken, or the state of the resource does not allow it (409)')
  if (request?.body || request?.query || upload)
    add('ValidationError', 'fields are refused; `problems` lists them (422)')
  add('RateLimitError', 'there were too many requests; `retryAfterMs` is the time to wait (429)')
  return list
}
