import type { CreateWebhook } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import type { Choice } from '../../prompts/prompter.ts'

type EventName = CreateWebhook['events'][number]

// The contract's own list would load its schemas; an event that is missing here does not compile.
const descriptions: Readonly<Record<EventName, string>> = {
  'conversation.created': 'A conversation was opened',
  'conversation.updated': 'A conversation changed',
  'conversation.assigned': 'A conversation got another assignee, or none',
  'conversation.closed': 'A conversation was closed',
  'conversation.deleted': 'A conversation was deleted',
  'customer.created': 'A customer was created',
  'customer.updated': 'A customer changed',
  'customer.deleted': 'A customer was deleted',
  'message.sent': 'A reply was sent',
  'message.received': 'A message came in',
  'user.created': 'A user was invited or registered',
  'user.updated': 'A user changed',
  'call.initiated': 'A call was started',
  'call.ringing': 'A call is ringing',
  'call.answered': 'A call was answered',
  'call.completed': 'A call ended',
  'call.failed': 'A call failed',
  'call.recording.available': 'The recording of a call can be fetched',
}

const eventNames = Object.keys(descriptions) as EventName[]

export const eventChoices: readonly Choice<EventName>[] = eventNames.map((value) => ({
  value,
  description: descriptions[value],
}))

/** Validates the names; `all` means every event, `customer.*` every event of one kind. */
export function parseEvents(names: readonly string[]): EventName[] {
  return [...new Set(names.flatMap(eventsOf))]
}

function eventsOf(name: string): EventName[] {
  if (name === 'all') return eventNames
  const kind = name.endsWith('.*') ? name.slice(0, -1) : undefined
  const found = eventNames.filter((event) => (kind === undefined ? event === name : event.startsWith(kind)))
  if (found.length > 0) return found
  throw usageError(
    `There is no event ${name}.`,
    `Events: ${eventNames.join(', ')}; customer.* and all are allowed too.`,
  )
}
