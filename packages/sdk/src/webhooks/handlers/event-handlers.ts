import type { CrmEvent } from '@crmkit/sdk/webhooks'

/** What it returns is awaited and then dropped. */
type HandlerFor<Type extends CrmEvent['event']> = (event: Extract<CrmEvent, { event: Type }>) => unknown

/**
 * What to do with each type of event. `unknown` gets the types that this version of the SDK does not know, `other`
 * everything that has no handler of its own. An event without a handler is answered 200 and dropped.
 */
export type EventHandlers = { readonly [Type in CrmEvent['event']]?: HandlerFor<Type> | undefined } & {
  readonly other?: ((event: CrmEvent) => unknown) | undefined
}

/** The handler of the event, bound to it; undefined when nobody wants it. */
export function handlerOf(event: CrmEvent, on: EventHandlers): (() => unknown) | undefined {
  // What the union of handlers takes is not the union of events, though each handler gets its own.
  const handler = (on[event.event] ?? on.other) as ((event: CrmEvent) => unknown) | undefined
  return handler && (() => handler(event))
}
