export { Crm } from './client.ts'
export type { ApiPromise, WithResponse } from './core/api-promise.ts'
export type { CallOptions, MessageReply, ReplyOptions, UploadOptions } from './core/call-options.ts'
export type { AttemptedRequest, AttemptOutcome, CrmOptions, OwnOptions } from './core/crm-options.ts'
export {
  AbortedError,
  ApiError,
  type ApiErrorCode,
  type AttemptRecord,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CrmError,
  type FieldProblem,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './core/errors.ts'
export {
  type ErasedEvent,
  type EventStream,
  isErasedEvent,
  isLiveEvent,
  type LogEvent,
  type StreamedEvent,
  type StreamOptions,
} from './core/event-stream.ts'
export type { LogPage, LogPromise } from './core/log-promise.ts'
export type { Page, PagePromise } from './core/page-promise.ts'
export type { WholeReply } from './core/whole-reply.ts'
export type { CrmEvent, EventType, LiveEvent } from './resources/events.gen.ts'
export type { OperationId } from './resources/routes.gen.ts'
export type * from './resources/types.gen.ts'
