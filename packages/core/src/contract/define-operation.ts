import type { z } from 'zod'
import type { EventType } from '../events/event-types.ts'
import type { Problem } from './failure.ts'
import type { Permission, Role } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who may call an operation. */
export type OperationAuth =
  | { readonly kind: 'none' }
  /** A signed-in person of at least this role; API keys are refused. */
  | { readonly kind: 'session'; readonly role: Role }
  /** An API key with the permission, or a signed-in person whose role has it. */
  | {
      readonly kind: 'sessionOrKey'
      readonly permission: Permission
      /** Needed beside it. */
      readonly also?: readonly Permission[]
    }
  /** One of the permissions is enough to be let in; what is shown then depends on which. */
  | { readonly kind: 'anyOf'; readonly permissions: readonly Permission[] }

export const publicAccess: OperationAuth = { kind: 'none' }
export function session(role: Role = 'viewer'): OperationAuth {
  return { kind: 'session', role }
}
export function sessionOrKey(permission: Permission, ...also: Permission[]): OperationAuth {
  return { kind: 'sessionOrKey', permission, ...(also.length > 0 && { also }) }
}
export function anyOf(...permissions: readonly Permission[]): OperationAuth {
  return { kind: 'anyOf', permissions }
}

/**
 * A rule across several fields of the body. It is given the body as it was sent, because it runs even
 * when single fields are wrong: the caller learns all failures at once.
 */
export interface CrossFieldRule {
  /** For the reference: what the rule demands. */
  readonly description: string
  check(body: Readonly<Record<string, unknown>>): Omit<Problem, 'in'> | undefined
}

export interface OperationRequest {
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
}

/** A file that a request brought. Its bytes are stored; nobody sees it until the operation's change is. */
export interface UploadedFile {
  readonly _id: string
  /** Safe to show and to store. */
  readonly filename: string
  /** As its bytes tell it. */
  readonly contentType: string
  readonly size: number
  /** Hex. */
  readonly sha256: string
}

/** A bound of one operation, besides the ones of its credential or address. */
export interface OperationLimit {
  /** How the rate-limit headers call it. */
  readonly name: string
  readonly requests: number
  readonly windowSeconds: number
  /** What each count is for: the caller's address, the signed-in user or key, or the resource that the path names. */
  readonly per: 'address' | 'credential' | 'resource'
}

export interface Operation {
  /** `area.verb`, unique; also the SDK's path to the method. */
  readonly id: string
  readonly method: Method
  readonly path: `/${string}`
  readonly auth: OperationAuth
  /** One line for the reference and the SDK's doc comment. */
  readonly summary: string
  /** Units, limits and surprises, for the reference and the SDK. */
  readonly description?: string
  readonly request?: OperationRequest
  readonly rules?: readonly CrossFieldRule[]
  readonly status: 200 | 201 | 202
  readonly response: z.ZodType
  readonly emits?: readonly EventType[]
  /** Answers with server-sent events that do not end; `response` is the data of one message. */
  readonly isStream?: true
  /** Takes one file as multipart/form-data, in this field, instead of JSON. */
  readonly upload?: { readonly field: string; readonly bytesMax: number }
  /** Answers with a file of one of these types; `response` is of no meaning. */
  readonly download?: readonly [`${string}/${string}`, ...`${string}/${string}`[]]
  /**
   * How `Idempotency-Key` works on this POST. `store` (the default) keeps the whole reply;
   * `secret` keeps only the id, because the reply holds a secret that is shown once; `never` ignores the header.
   */
  readonly idempotency?: 'store' | 'secret' | 'never'
  readonly limit?: OperationLimit
}

/** Declares one operation. Everything else about it is derived: route, checks, SDK method, tests. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation
}

type PartOf<O extends Operation, Part extends keyof OperationRequest> = O extends {
  readonly request: { readonly [P in Part]: infer S extends z.ZodType }
}
  ? z.output<S>
  : Record<string, never>

/** What a handler receives after parsing. */
export interface InputOf<O extends Operation> {
  readonly params: PartOf<O, 'params'>
  readonly query: PartOf<O, 'query'>
  readonly body: O extends { readonly upload: object } ? UploadedFile : PartOf<O, 'body'>
}

/** What a handler returns before `response.parse` has dropped everything undeclared. */
export type ReplyOf<O extends Operation> = z.input<O['response']>
