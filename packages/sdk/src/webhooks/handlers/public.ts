// The shared exports of every framework's entry point.
export { BodyTooLargeError } from './body-too-large-error.ts'
export type { EventHandlers } from './event-handlers.ts'
export type { OptionsFor, ReceiverOptions } from './receiver-options.ts'
export { memoryReplayCache, type ReplayCache, type ReplayState } from './replay-cache.ts'
