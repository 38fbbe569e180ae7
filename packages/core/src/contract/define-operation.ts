import type { z } from 'zod'
import type { EventType } from '../events/event-types.ts'
import type { Problem } from './failure.ts'
import type { Permission, Role } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The credential that an operation needs. */
export type OperationAuth =
  | {
      readonly kind: 'none'
      /** The request names an inbox by the key of its chat widget: pages of the origins that it allows may call. */
      readonly pages?: 'widget'
    }
  /** Any valid credential: an API key or a signed-in person. */
  | { readonly kind: 'credential' }
  /** A signed-in person of at least this role; API keys are refused. */
  | { readonly kind: 'session'; readonly role: Role }
  /** An API key with the permission, or a signed-in person whose role has it. */
  | {
      readonly kind: 'sessionOrKey'
      /** The least role of a signed-in person, where the permission is not sufficient. */
      readonly role?: Role
      readonly permission: Permission
      /** Further permissions that are needed. */
      readonly also?: readonly Permission[]
    }
  /** One of the permissions is sufficient; the response depends on which. */
  | { readonly kind: 'anyOf'; readonly permissions: readonly Permission[] }
  /** The session of a visitor of a chat widget; no other credential is accepted, and it is accepted nowhere else. */
  | { readonly kind: 'widgetSession' }

export const publicAccess: OperationAuth = { kind: 'none' }
export const publicWidget: OperationAuth = { kind: 'none', pages: 'widget' }
export const widgetVisitor = { kind: 'widgetSession' } as const
export const anyCredential: OperationAuth = { kind: 'credential' }
export function session(role: Role = 'viewer'): OperationAuth {
  return { kind: 'session', role }
}
export function sessionOrKey(permission: Permission, ...also: Permission[]): OperationAuth {
  return { kind: 'sessionOrKey', permission, ...(also.length > 0 && { also }) }
}
/** An API key with all of these permissions, or a signed-in admin or owner. */
export function adminOrKey(permission: Permission, ...also: Permission[]): OperationAuth {
  return { kind: 'sessionOrKey', role: 'admin', permission, also }
}
export function anyOf(...permissions: readonly Permission[]): OperationAuth {
  return { kind: 'anyOf', permissions }
}

/** Why a change has no audit entry. The reference does not show it. */
export interface Unaudited {
  readonly none: string
}

/** An action such as `customer.deleted`, or why there is none. */
export type AuditRule = `${string}.${string}` | Unaudited

/** Says why a change by an operation writes no audit entry, in words. */
export function none(why: `${string} ${string}`): Unaudited {
  return { none: why }
}

/**
 * A rule across several fields of the body. Its input is the body as it was sent, because it runs even when single
 * fields are wrong: one response reports all failures.
 */
export interface CrossFieldRule {
  /** The rule in words, for the reference. */
  readonly description: string
  check(body: Readonly<Record<string, unknown>>): Omit<Problem, 'in'> | undefined
}

export interface OperationRequest {
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  /** Headers besides those that every operation takes, by the names of the reference. */
  readonly headers?: z.ZodObject
}

/** An uploaded file. Its bytes are stored, but no read returns it before the operation's change is committed. */
export interface UploadedFile {
  readonly _id: string
  /** Safe to show and to store. */
  readonly filename: string
  /** Detected from the bytes. */
  readonly contentType: string
  readonly size: number
  /** Hex. */
  readonly sha256: string
}

/** The texts that an upload declares beside its file. */
type FieldsOf<O extends Operation> = O extends {
  readonly upload: { readonly fields: infer F extends z.ZodType }
}
  ? { readonly fields: z.output<F> | OtherFieldsOf<O> }
  : unknown

type OtherFieldsOf<O extends Operation> = O extends {
  readonly upload: { readonly without: { readonly fields: infer F extends z.ZodType } }
}
  ? z.output<F>
  : never

/** A form that lacks one of the texts of its operation: a request with texts and a reply of its own. */
interface OtherForm {
  /** The text that it lacks. */
  readonly text: string
  readonly fields: z.ZodObject
  readonly response: z.ZodType
  /** The method of the SDK that sends it. */
  readonly method: string
  readonly summary: string
  readonly description: string
}

/** A rate limit of one operation, in addition to those of its credential or address. */
export interface OperationLimit {
  /** Its name in the rate-limit headers. */
  readonly name: string
  readonly requests: number
  readonly windowSeconds: number
  /** One count per caller's address, per user or key, or per resource in the path. */
  readonly per: 'address' | 'credential' | 'resource'
}

export interface Operation {
  /** `area.verb`, unique; also the SDK's path to the method. */
  readonly id: string
  readonly method: Method
  readonly path: `/${string}`
  readonly auth: OperationAuth
  /**
   * The action of the audit entry that every change by this operation writes, or several actions of which it writes
   * one. `none('why')`: a change writes no entry. Required unless the method is GET.
   */
  readonly audit?: AuditRule | readonly AuditRule[]
  /** One line for the reference and the SDK's doc comment. */
  readonly summary: string
  /** Units, limits and surprises, for the reference and the SDK. */
  readonly description?: string
  readonly request?: OperationRequest
  readonly rules?: readonly CrossFieldRule[]
  readonly status: 200 | 201 | 202
  /** The status where what the request asks for is there already, with the reply of the same shape. */
  readonly statusOfRepeat?: 200
  readonly response: z.ZodType
  /** A member of the envelope beside `data`, which only a field of the request asks for: a further method of the SDK returns both. */
  readonly beside?: {
    readonly method: string
    readonly summary: string
    /** A list of the query whose words name the members of `member`, or a field of the body. */
    readonly asks: string
    readonly member: string
  }
  readonly emits?: readonly EventType[]
  /** Returns an endless stream of server-sent events; `response` is the data of one message. */
  readonly isStream?: true
  /** Takes one file as multipart/form-data, in this field, instead of JSON. */
  readonly upload?: {
    readonly field: string
    readonly bytesMax: number
    /** Texts that come before the file. */
    readonly fields?: z.ZodObject
    /** The OpenAPI document knows one reply of a status, so the description of the operation names this form. */
    readonly without?: OtherForm
    /** The body may be the bytes themselves, which may be none, instead of a form; the document says this alone. */
    readonly isRaw?: true
    /** Names the owner of the file, whose id is in the path: its files have a quota of their own. */
    readonly owner?: 'integrationId'
  }
  /** Returns a file of one of these types; `response` has no meaning. */
  readonly download?: readonly [`${string}/${string}`, ...`${string}/${string}`[]]
  /** The state of the resource can refuse this GET with 409, as it can refuse every other method. */
  readonly mayConflict?: true
  /** The data of the response may have been removed: 410. */
  readonly mayBeGone?: true
  /**
   * How `Idempotency-Key` works on this POST. `store` (the default) keeps the whole reply;
   * `secret` keeps only the id, because the reply contains a secret that is shown once; `never` ignores the header.
   */
  readonly idempotency?: 'store' | 'secret' | 'never'
  readonly limit?: OperationLimit
  /** Any cache may keep the response of this GET for so long. It has an `ETag`. */
  readonly cacheSeconds?: number
  /**
   * A screen that people work in all day calls it often, so it does not count for the `apiCalls` of a plan. Its requests
   * are counted apart.
   */
  readonly isOutsidePlan?: true
  /** Works on a full disk too, as every GET and DELETE does: it needs little space, and people depend on it. */
  readonly onFullDisk?: 'admitted'
}

/** Returns whether the operation works on a full disk; the others are refused with 503 until there is space. */
export function isAdmittedOnFullDisk({ method, onFullDisk }: Operation): boolean {
  return method === 'GET' || method === 'DELETE' || onFullDisk === 'admitted'
}

/** An operation that may change something declares the audit entry that it writes, or why it writes none. */
type Audited = { readonly method: 'GET' } | { readonly audit: AuditRule | readonly AuditRule[] }

/** Declares one operation. Everything else about it is derived: route, checks, SDK method, tests. */
export function defineOperation<const O extends Operation & Audited>(operation: O): O {
  return operation
}

/** The actions that an operation declares for its audit entries. */
export type AuditActionOf<O extends Operation> = O extends { readonly audit: infer A }
  ? Extract<A extends readonly (infer Action)[] ? Action : A, string>
  : never

/** Returns the actions that an operation declares, `none` among them where a change may write no entry. */
export function auditActionsOf(operation: Operation): readonly string[] {
  if (operation.audit === undefined) return ['none']
  return [operation.audit].flat().map((rule) => (typeof rule === 'string' ? rule : 'none'))
}

type PartOf<O extends Operation, Part extends 'params' | 'query' | 'body'> = O extends {
  readonly request: { readonly [P in Part]: infer S extends z.ZodType }
}
  ? z.output<S>
  : Record<string, never>

/** The parsed headers of a handler whose operation declares some. */
type HeadersOf<O extends Operation> = O extends {
  readonly request: { readonly headers: infer S extends z.ZodType }
}
  ? { readonly headers: z.output<S> }
  : unknown

/** The parsed input of a handler. */
export type InputOf<O extends Operation> = InputParts<O> & HeadersOf<O>

interface InputParts<O extends Operation> {
  readonly params: PartOf<O, 'params'>
  readonly query: PartOf<O, 'query'>
  readonly body: O extends { readonly upload: object } ? UploadedFile & FieldsOf<O> : PartOf<O, 'body'>
}

/** The result of a handler, before `response.parse` drops undeclared fields. */
export type ReplyOf<O extends Operation> = z.input<O['response']> | OtherReplyOf<O>

type OtherReplyOf<O extends Operation> = O extends {
  readonly upload: { readonly without: { readonly response: infer R extends z.ZodType } }
}
  ? z.input<R>
  : never

/** Whether the operation belongs to the chat widget, so that only a visitor's browser calls it. */
export function isOfWidget({ auth }: Operation): boolean {
  return auth.kind === 'widgetSession' || (auth.kind === 'none' && auth.pages === 'widget')
}
