import { row, type Table } from './row.ts'
import { tests } from './test-files.ts'

const {
  attempt,
  crashes,
  deliveries,
  destinations,
  events,
  retries,
  sender,
  signing,
  specification,
  telephony,
} = tests

const ofConversations = events('the events of one commit are in the contract’s order')
const ofCustomers = events(
  'customers send an event when created, when changed (with each path and both values) and when deleted, and none without a change',
)
const ofMessages = events(
  'a reply and a note send an event each, and an inbound message opens the conversation and is counted',
)
const ofUsers = specification('creating or changing a user sends an event, from the first user on')

const ofCalls = telephony(
  'tell one event for each move, in whatever order and how often reports come',
  'that come at once tell one event for each move',
)
const ofRecordings = telephony('about a recording tell it once, and a failed recording is none')

export const eventTypes: Table = {
  title: 'Events',
  rows: [
    row('event.conversationCreated', '`conversation.created`', ofConversations),
    row('event.conversationUpdated', '`conversation.updated`', ofConversations),
    row('event.conversationAssigned', '`conversation.assigned`', ofConversations),
    row('event.conversationClosed', '`conversation.closed`', ofConversations),
    row('event.customerCreated', '`customer.created`', ofCustomers),
    row('event.customerUpdated', '`customer.updated`', ofCustomers),
    row('event.messageSent', '`message.sent`', ofMessages),
    row('event.messageReceived', '`message.received`', ofMessages, ofConversations),
    row('event.userCreated', '`user.created`', ofUsers),
    row(
      'event.userUpdated',
      '`user.updated`',
      ofUsers,
      events('labels and users send one event for each change, and none without a change'),
    ),
    row('event.callInitiated', '`call.initiated`', ofCalls),
    row('event.callRinging', '`call.ringing`', ofCalls),
    row('event.callAnswered', '`call.answered`', ofCalls),
    row('event.callCompleted', '`call.completed`', ofCalls),
    row('event.callFailed', '`call.failed`', ofCalls),
    row('event.callRecording', '`call.recording.available`', ofRecordings),
  ],
}

export const deliveryRules: Table = {
  title: 'Delivery',
  rows: [
    row(
      'delivery.body',
      'The body: `event`, `timestamp`, `data`; in conversation events with the customer’s profile',
      ofConversations,
      ofCustomers,
    ),
    row(
      'delivery.https',
      'Only to HTTPS URLs',
      destinations('every vector is refused at create, at update, at a test and at the connection itself'),
      specification('POST demands a name of 1 to 100 characters, an HTTPS URL and events'),
    ),
    row(
      'delivery.headers',
      'With the webhook’s own headers',
      attempt('sends exactly the promised headers, in their order, and both signatures verify'),
    ),
    row(
      'delivery.signature',
      '`X-Webhook-Signature: sha256=` and the HMAC-SHA256 of the body in lower-case hex, keyed with the secret',
      attempt('sends exactly the promised headers, in their order, and both signatures verify'),
      signing('is keyed with the secret as it was shown, prefix included'),
    ),
    row(
      'delivery.timeout',
      'A receiver has 5 seconds',
      attempt('gives the receiver five seconds'),
      sender('ends a request to a receiver that never responds', 'ends a body that never ends'),
    ),
    row(
      'delivery.retries',
      'Up to `maxRetries` retries after 2, 4, 8, 16 s or 5, 10, 15 s',
      retries(
        'waits 2, 4, 8, 16 s after each failed attempt, then no more',
        'waits 5, 10, 15 s with the linear strategy',
        'never retries with maxRetries 0',
      ),
      deliveries('every attempt carries the same bytes and ids, at the planned times and never early'),
    ),
    row(
      'delivery.atLeastOnce',
      'At least once',
      crashes('no acknowledged change is lost when the server is killed at every named point, and at random'),
      deliveries('a queue that loses every wake-up delays deliveries and loses none'),
    ),
    row(
      'delivery.logged',
      'Each attempt is logged and can be read',
      deliveries('every attempt carries the same bytes and ids, at the planned times and never early'),
      specification(
        'POST …/test confirms with a fixed text that the event was sent; the log shows the attempt',
      ),
    ),
  ],
}
