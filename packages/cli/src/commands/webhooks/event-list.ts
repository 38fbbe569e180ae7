import { Option } from '@commander-js/extra-typings'
import type { CreateWebhook } from '@crmkit/sdk'
import { usageError } from '../../cli-error.ts'
import { nearest } from '../../nearest.ts'
import type { Choice } from '../../prompts/prompter.ts'
import { addToList, listing } from '../option-values.ts'

export type EventName = CreateWebhook['events'][number]

// The contract's own list would load its schemas; an event that is missing here does not compile.
const descriptions: Readonly<Record<EventName, string>> = {
  'conversation.created': 'A conversation was opened',
  'conversation.updated': 'A conversation changed',
  'conversation.assigned': 'A conversation got another assignee, or none',
  'conversation.closed': 'A conversation was closed',
  'conversation.merged': 'A conversation was merged into another one',
  'conversation.unmerged': 'A merge of conversations was taken back',
  'conversation.deleted': 'A conversation was deleted',
  'customer.created': 'A customer was created',
  'customer.updated': 'A customer changed',
  'customer.deleted': 'A customer was deleted',
  'message.sent': 'A reply was sent',
  'message.received': 'A message came in',
  'message.deleted': 'A reply was taken back',
  'message.updated': 'The status of an e-mail changed',
  'note.created': 'A note was written for the team',
  'mention.created': 'A note mentions a user',
  'mail.parked': 'A mail that arrived needs a person',
  'inbox.failing': 'An inbox does not receive or send any more',
  'inbox.recovered': 'An inbox receives or sends again',
  'integration.failing': 'A source cannot be read any more',
  'integration.recovered': 'A source can be read again',
  'user.created': 'A user was invited or registered',
  'user.updated': 'A user changed',
  'user.deleted': 'A user was removed',
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

/** A comma list of types of events. `parseEvents` validates it. */
export const eventsOption = <Flags extends string>(flags: Flags, description: string) =>
  listing(new Option(flags, description).argParser(addToList), [...eventNames, 'all'])

/** Validates the names; `all` means every event, `customer.*` every event of one kind. */
export function parseEvents(names: readonly string[]): EventName[] {
  return [...new Set(names.flatMap(eventsOf))]
}

/** Validates the name of one type. */
export function parseEvent(name: string): EventName {
  const [event, ...more] = eventsOf(name)
  if (event !== undefined && more.length === 0) return event
  throw usageError('Expected one type of event, such as customer.created.')
}

function eventsOf(name: string): EventName[] {
  if (name === 'all') return eventNames
  const kind = name.endsWith('.*') ? name.slice(0, -1) : undefined
  const found = eventNames.filter((event) => (kind === undefined ? event === name : event.startsWith(kind)))
  if (found.length > 0) return found
  const kinds = new Set(eventNames.map((event) => `${event.split('.')[0]}.*`))
  const similar = nearest(name, [...eventNames, ...kinds, 'all'])
  throw usageError(
    `There is no event ${name}.`,
    similar === undefined
      ? `Events: ${eventNames.join(', ')}; customer.* and all are allowed too.`
      : `Did you mean ${similar}?`,
  )
}
