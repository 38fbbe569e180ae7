import type { Operation } from './define-operation.ts'
import type { OperationId } from './operations.ts'

type AreaOf<Id extends string> = Id extends `${infer A}.${string}` ? A : never

/** The first half of an operation's id; the SDK's property and the reference's chapter. */
export type Area = AreaOf<OperationId>

export function areaOf({ id }: Pick<Operation, 'id'>): Area {
  return id.slice(0, id.indexOf('.')) as Area
}

/** What an area is for. */
export const areaDescriptions: Readonly<Record<Area, string>> = {
  apiKeys:
    'Credentials for programs: permissions, environment, addresses, limits, rotation. Managed by people only.',
  attachments: 'Files of messages: uploaded first, then named by a message.',
  auth: 'Registration, sessions, invitations that are accepted, passwords.',
  conversations: 'What a customer and the team talk about, with its state, priority, assignee and labels.',
  customers: 'The people who ask for help. They can be merged, exported and erased.',
  events: 'Everything that has happened, in order: as a log to page through, and as a stream.',
  health: 'Whether the service can work, for load balancers. Needs no credential.',
  inboxes: 'Where conversations arrive: their members, automatic assignment and the secret of their widget.',
  messages: 'What is said in a conversation: inbound, outbound, and notes that only the team sees.',
  tenant: 'The tenant itself and its audit log.',
  users: 'The people of the team: invitations, roles, availability.',
  webhooks: 'Signed calls to your receivers: subscriptions, delivery logs, tests, redelivery, recovery.',
}
