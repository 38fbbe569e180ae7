import type { CrmEvent } from '@crmkit/sdk/webhooks'

/** Its result is awaited and then ignored. */
type HandlerFor<Type extends CrmEvent['event']> = (event: Extract<CrmEvent, { event: Type }>) => unknown

/**
 * The handlers by type of event. `unknown` receives the types that this version of the SDK does not know, `other` every
 * event without a handler of its own. An event without any handler is acknowledged with 200 and ignored.
 */
export type EventHandlers = { readonly [Type in CrmEvent['event']]?: HandlerFor<Type> | undefined } & {
  readonly other?: ((event: CrmEvent) => unknown) | undefined
}

/** The handler of the event, bound to it; undefined without one. */
export function handlerOf(event: CrmEvent, on: EventHandlers): (() => unknown) | undefined {
  // The union of handlers does not accept the union of events, although each handler gets its own type.
  const handler = (on[event.event] ?? on.other) as ((event: CrmEvent) => unknown) | undefined
  return handler && (() => handler(event))
}
