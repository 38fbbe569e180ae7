import type { CrmEvent, VerifyOptions } from '@crmkit/sdk/webhooks'
import type { EventHandlers } from './event-handlers.ts'
import type { ReplayCache } from './replay-cache.ts'

export interface ReceiverOptions extends VerifyOptions {
  /** The handlers by type of event. The sender waits 5 seconds at most; give longer work to a queue. */
  readonly on: EventHandlers
  /**
   * Skips an event that is delivered a second time. Default: none; then handlers must be idempotent.
   * `memoryReplayCache()` serves one process.
   */
  readonly replayCache?: ReplayCache | undefined
  /**
   * Called for every response other than 200: a refused signature, a body that something else has consumed, a handler
   * that threw. `event` is present once the signature is verified. Default: `console.error`.
   */
  readonly onError?:
    | ((
        error: unknown,
        context: { readonly event: CrmEvent | undefined; readonly status: number },
      ) => void | Promise<void>)
    | undefined
  /** Maximum size of a body in bytes; a longer one is refused with 413, unread. Default: 4 MiB. */
  readonly bodyBytesMax?: number | undefined
}

/** The options, or a function that makes them for each request, for secrets or bindings that come with the request. */
export type OptionsFor<Context> =
  | ReceiverOptions
  | ((context: Context) => ReceiverOptions | Promise<ReceiverOptions>)
