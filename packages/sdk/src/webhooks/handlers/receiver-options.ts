import type { CrmEvent, VerifyOptions } from '@crmkit/sdk/webhooks'
import type { EventHandlers } from './event-handlers.ts'
import type { ReplayCache } from './replay-cache.ts'

export interface ReceiverOptions extends VerifyOptions {
  /** What to do with each type of event. The sender waits 5 seconds at most; give longer work to a queue. */
  readonly on: EventHandlers
  /**
   * Keeps an event that comes again (each may) from being handled again. Default: none; then handlers must not
   * mind. `memoryReplayCache()` serves one process.
   */
  readonly replayCache?: ReplayCache | undefined
  /**
   * Is told of everything that was not answered 200: a refused signature, a body that something else has consumed,
   * a handler that threw. `event` is there once the signature was right. Default: `console.error`.
   */
  readonly onError?:
    | ((
        error: unknown,
        context: { readonly event: CrmEvent | undefined; readonly status: number },
      ) => void | Promise<void>)
    | undefined
  /** How many bytes a body may have; a longer one is answered 413, unread. Default: 4 MiB. */
  readonly bodyBytesMax?: number | undefined
}

/** The options, or what makes them for each delivery: where a secret or a binding comes with the request. */
export type OptionsFor<Context> =
  | ReceiverOptions
  | ((context: Context) => ReceiverOptions | Promise<ReceiverOptions>)
