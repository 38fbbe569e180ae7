import type { Operation } from './define-operation.ts'
import type { OperationId } from './operations.ts'

type AreaOf<Id extends string> = Id extends `${infer A}.${string}` ? A : never

/** The first part of an operation's id. It is the property of the SDK and the chapter of the reference. */
export type Area = AreaOf<OperationId>

export function areaOf({ id }: Pick<Operation, 'id'>): Area {
  return id.slice(0, id.indexOf('.')) as Area
}

/** The purpose of each area. */
export const areaDescriptions: Readonly<Record<Area, string>> = {
  analytics:
    'Requests of a month, response times and outcomes, how often labels are used, and figures of conversations.',
  apiKeys:
    'Credentials for programs: permissions, environment, addresses, limits, rotation. Only signed-in users manage them.',
  attachments: 'Files of messages: upload a file first, then send a message with its id.',
  auth: 'Registration, sessions, accepting invitations, passwords.',
  calls: 'Phone calls with their state, recording and remarks.',
  imports: 'Runs that import records of a source: start, watch, cancel, repeat and undo them.',
  integrations:
    'Sources of imported records: external CRMs and uploaded files, their settings and their progress.',
  suppressedAddresses: 'Addresses that do not exist, as mail servers report. They get no mail.',
  cannedReplies:
    'Prepared replies with variables, of the team or of one user. An agent inserts one and changes it before sending.',
  views: 'Saved lists of conversations: a filter and an order with a name, of the team or of one user.',
  conversations: 'Threads between a customer and the team, with state, priority, assignee and labels.',
  drafts:
    'Messages that are not sent yet: a user or a program writes one, and any person sends it, or the service at its time.',
  customers: 'The people who ask for help. A customer can be merged, exported and erased.',
  customerNotes: 'Notes of the team about a customer, which the customer never sees.',
  doors: 'Where mail and imports come in and out: the doors that do not work at present.',
  events: 'The ordered log of all events, in pages and as a stream.',
  health: 'State of the service, for load balancers. Needs no credential.',
  inboxes: 'Groups of conversations with members, automatic assignment and a chat widget.',
  mails:
    'Mails that arrived, with the state of each: processed, parked or ignored. The door that receives them is `POST /api/v1/inbound/email/{token}`.',
  messages: 'Messages of a conversation: inbound, outbound, and notes that only the team sees.',
  privacy:
    'The signed-in user’s own data: export it, and ask for its deletion, rectification or restriction.',
  privacyRequests: 'The requests of users about their own data, on which the tenant decides.',
  search: 'One search over customers, conversations and messages.',
  telephony: 'Tokens that let a browser make and take calls.',
  tenant: 'The tenant itself and its audit log.',
  users: 'Members of the team: invitations, roles, availability.',
  widget: 'The chat widget of an inbox, as the browser of a visitor calls it.',
  webhooks: 'Signed calls to your receivers: subscriptions, delivery logs, tests, redelivery, recovery.',
}
