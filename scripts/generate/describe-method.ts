import type { Operation, OperationAuth } from '../../packages/core/src/contract/define-operation.ts'
import type { SdkMethod } from './sdk-method.ts'

/** Where the reference of the SDK is, from the root of the repository. */
export const referencePath = 'docs/reference/sdk.md'

/** The heading's anchor in the reference. */
export function anchorOf({ operation }: SdkMethod): string {
  return `crm${operation.id}`.replaceAll('.', '').toLowerCase()
}

/** `get(id: string, options?: CallOptions): ApiPromise<Customer>` */
export function signatureOf({ name, params, query, body, isUpload, reply }: SdkMethod): string {
  const args = params.map((param) => `${param}: string`)
  if (isUpload) args.push('file: Blob | ReadableStream<Uint8Array>')
  if (body) args.push(`body${body.isOptional ? '?' : ''}: ${body.type}`)
  if (query) args.push(`query?: ${query.type}`)
  const options = isUpload ? 'UploadOptions' : reply.kind === 'stream' ? 'StreamOptions' : 'CallOptions'
  args.push(`options?: ${options}`)
  const { kind, type } = reply
  const promises = {
    ...{ list: 'PagePromise', log: 'LogPromise', plain: 'ApiPromise', message: 'ApiPromise' },
    download: 'Promise',
  }
  const result = kind === 'stream' ? type : `${promises[kind]}<${type}>`
  return `${name}(${args.join(', ')}): ${result}`
}

/** What its doc comment and the reference say of a method. */
export interface MethodDescription {
  readonly summary: string
  readonly remarks: readonly string[]
  readonly need: string
  readonly endpoint: string
  readonly errors: readonly { readonly name: string; readonly when: string }[]
}

export function describeMethod({ operation, isUpload, reply }: SdkMethod): MethodDescription {
  const { summary, description, rules = [], auth, method, path } = operation
  const about = [description, ...rules.map((rule) => rule.description)].filter(Boolean).join(' ')
  const remarks = about === '' ? [] : [about]
  if (reply.kind === 'list') remarks.push('Await it for one page, or `for await` over it for every row.')
  if (reply.kind === 'log')
    remarks.push('Await it for one page, or `for await` over it to the end of the log.')
  if (reply.kind === 'stream')
    remarks.push(
      '`for await` over it; a stream that breaks is opened again where it was, and no event is lost.',
    )
  if (isUpload)
    remarks.push(
      'A stream is read to its end first. `openAsBlob` of `node:fs` gives a file without reading it.',
    )
  if (reply.kind === 'download')
    remarks.push(
      'Answers the `Response` as soon as its head is there, which `timeout` and `deadline` bound: read `body`, `blob()` or `text()`; `signal` ends that, too. The name is in its `content-disposition`.',
    )
  if (operation.idempotency === 'secret') {
    remarks.push('When an answer is lost, a retry ends in a `ConflictError`: the secret is shown only once.')
  }
  const endpoint = `\`${method} ${path}\``
  return { summary: `${summary}.`, remarks, need: needOf(auth), endpoint, errors: errorsOf(operation) }
}

function needOf(auth: OperationAuth): string {
  if (auth.kind === 'none') return 'Needs no credential.'
  if (auth.kind === 'session') return `Needs a signed-in user, at least ${auth.role}; API keys are refused.`
  if (auth.kind === 'anyOf') return `Needs the permission \`${auth.permissions.join('` or `')}\`.`
  return `Needs the permission \`${auth.permission}\`.`
}

function errorsOf({ auth, method, path, request, upload }: Operation): MethodDescription['errors'] {
  const list: { name: string; when: string }[] = []
  const add = (name: string, when: string) => list.push({ name, when })
  if (auth.kind !== 'none') {
    add('AuthenticationError', 'no credential, or one that does not work (401)')
    add('PermissionError', 'the credential may not do this (403)')
  }
  if (path.includes('{')) add('NotFoundError', 'there is no such resource in this tenant (404)')
  if (method !== 'GET' && auth.kind !== 'none')
    add('ConflictError', 'a unique value is taken, or the state refuses it (409)')
  if (request?.body || request?.query || upload)
    add('ValidationError', 'a field is refused; `problems` names each (422)')
  add('RateLimitError', 'too many requests; `retryAfterMs` says how long to wait (429)')
  return list
}
