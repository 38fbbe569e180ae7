import { type AnyOperation, auditActionsOf, isAdmittedOnFullDisk, type Operation } from '@crmkit/core'
import { bodyChecks } from '../../features/body-checks.ts'
import type { BodyCheck } from '../../features/handler.ts'
import { systemHandlers } from '../../features/handlers.ts'
import type { Access } from '../credentials/access.ts'
import { type StartResponse, startOf } from './start-response.ts'

/** An operation with all that its declaration says about its requests: worked out once, not for each of them. */
export interface Endpoint {
  readonly operation: AnyOperation
  readonly access: Access
  /** Undefined where a handler replies. */
  readonly start: StartResponse | undefined
  /** Its handler works across tenants. */
  readonly isSystem: boolean
  /** Its reply is made without waiting for its caller, so work in the background lets it go first. */
  readonly isShort: boolean
  /** Its replies hold no secret, whose length would help to guess it, and are kept by no cache. */
  readonly mayPack: boolean
  /** Its pages have no bound but the number of their rows. */
  readonly isList: boolean
  /** With `include` its reply has pages too. */
  readonly mayInclude: boolean
  readonly hasJsonBody: boolean
  /** Besides its body. */
  readonly hasInput: boolean
  readonly waitsForDisk: boolean
  /** Visitors of the chat widget call it. */
  readonly isForStrangers: boolean
  readonly bodyCheck: BodyCheck | undefined
  /** The audit entries of which a change writes one. */
  readonly auditActions: readonly string[]
}

export function endpointOf(operation: AnyOperation, access: Access): Endpoint {
  const { request, method, path, upload, rules, auth, idempotency, cacheSeconds }: Operation = operation
  const start = startOf(operation)
  const hasWords = Object.values(request?.params?.shape ?? {}).some(isWord)
  return {
    operation,
    access,
    start,
    isSystem: operation.id in systemHandlers,
    isShort: upload === undefined && start === undefined,
    mayPack: idempotency !== 'secret' && cacheSeconds === undefined && !/\/auth(\/|$)/.test(path),
    isList: request?.query !== undefined && 'limit' in request.query.shape,
    mayInclude: request?.query !== undefined && 'include' in request.query.shape,
    hasJsonBody: method !== 'GET' && upload === undefined,
    hasInput:
      hasWords || [request?.query, request?.headers, request?.body, rules].some((part) => part !== undefined),
    waitsForDisk: !isAdmittedOnFullDisk(operation),
    isForStrangers: auth.kind === 'widgetSession' || (auth.kind === 'none' && auth.pages === 'widget'),
    bodyCheck: bodyChecks[operation.id],
    auditActions: auditActionsOf(operation),
  }
}

/** Ids in a path are compared as they are; only a word of a list is checked. */
function isWord({ def }: { def: { type: string } }): boolean {
  return def.type === 'enum'
}
