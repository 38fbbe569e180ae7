import { row, type Table } from './row.ts'
import { tests } from './test-files.ts'

const { everyField, everyList, everyOperation, events, foreignIds, handleError, idempotency, matrix } = tests
const { orderOfChecks, requests } = tests

/** Decisions of this service where the specification is open. */
export const ownRules: Table = {
  title: 'Beyond the specification: rules of this service',
  rows: [
    row(
      'own.order',
      'The order of checks: version, route, credential, limit, permission, body, validation, existence, references, state',
      orderOfChecks(
        '%s before %s',
        'is told after version, route and credential, and before permission, body and all that follows',
        'an Idempotency-Key is looked at after validation, and before the work',
        'an address that is not on a key’s list is refused before its permissions are looked at',
      ),
      tests.values('refuses what is not valid before it looks for what the path names: %s %s'),
    ),
    row(
      'own.oneList',
      'Every operation is declared once; server, document, client, command line and tests list the same',
      tests.oneList(
        'a handler',
        'a route that is mounted',
        'a place in the document',
        'a method of the client',
        'a command that calls them; `crm api` takes any path besides',
      ),
    ),
    row(
      'own.positions',
      'Cursors, positions of the event log and idempotency keys of another tenant lead nowhere',
      foreignIds(
        'reads its own rows or none from another tenant’s position',
        'gives away no reply that another tenant’s Idempotency-Key made',
        'a stream shows nothing of another tenant from its position in %s',
      ),
    ),
    row(
      'own.quotas',
      'What a tenant stores has limits: 403 `QUOTA_EXCEEDED` beyond them, while deletions, changes and sign-ins go on',
      tests.quotas(
        'refuses one more of %s than the limit, and stores nothing of it',
        'is kept exactly by many writes at the same time',
        'lets reads, changes, deletions and sign-ins go on at the limit',
        'refuses an upload that could exceed it, and counts files that no message carries',
      ),
    ),
    row(
      'own.details',
      'A 422 names every failure at once, each with its field, its rule and its place',
      requests(
        'names each field with its rule, all at once, and never repeats a value',
        'checks rules across fields although single fields are wrong too',
      ),
      foreignIds('names every reference to nothing at once'),
    ),
    row(
      'own.noEcho',
      'Rejected values are never repeated',
      everyField('never repeats a value that it refuses, wherever it stands'),
    ),
    row(
      'own.emptyPut',
      'A `PUT` that says nothing changes nothing and tells nobody',
      everyField('%s answers 200, changes nothing and tells nobody'),
    ),
    row(
      'own.unknownFields',
      'A field that a body does not have is refused, a query parameter that is not known is ignored',
      matrix('names the field and the rule for garbage in the body'),
      everyOperation('a GET takes no notice of query parameters that it does not know'),
    ),
    row(
      'own.bodies',
      'Bodies: 400 for broken JSON, 413 beyond 1 MB, 415 for another type, 422 beyond 32 levels',
      everyOperation('refuses %s'),
    ),
    row(
      'own.methods',
      '405 with `Allow` on every path',
      everyOperation('every path refuses the methods it does not take, and names those it does'),
    ),
    row(
      'own.headers',
      '`X-Request-Id`, `X-API-Version`, `nosniff` and `no-store` on every answer',
      everyOperation(
        'sends the common headers with an answer and with every kind of refusal',
        'a request id of 8 to 64 letters, digits, _ and - is kept; any other is replaced',
      ),
      tests.malformed('answers %s in the envelope, and hangs up'),
    ),
    row(
      'own.limitHeaders',
      'Rate limits in both forms of headers on every answer to a good credential',
      everyOperation('every answer to a good credential tells its limit in both forms'),
    ),
    row(
      'own.cursors',
      'Lists are read whole by pages and by cursors',
      everyList('is read whole by pages and by cursors, every row once and in one order'),
    ),
    row(
      'own.idempotency',
      '`Idempotency-Key` on every authenticated POST',
      idempotency(
        'replays the first reply for the same key and body, and makes nothing twice',
        'makes one of many at once, and tells the others to wait or replays',
        'stores no refusal: the same key works once the request is mended',
      ),
      tests.everyIdempotency('does its work once for one Idempotency-Key, and says so the second time'),
    ),
    row(
      'own.conversationStates',
      'The rules of a conversation’s states, and its events in their order, over random walks',
      tests.conversationModel(
        'a conversation follows the rules of its states, and tells each change once and in order',
      ),
    ),
    row(
      'own.keyStates',
      'What a key answers over random walks of changes, rotations and suspensions',
      tests.keyModel('a key answers what its own state, its end and its tenant say, in that order'),
    ),
    row(
      'own.changes',
      'Events of changes name each path with both values; no change, no event',
      events(
        'customers: made, changed with each path and both values, unchanged, deleted',
        'labels and users: one event for each change, none for what was so already',
      ),
    ),
    row(
      'own.eventLog',
      'The log of events and its stream: ordered, resumable, each type only to who may read it',
      tests.eventStream(
        'lists the same events with positions that go on, in the list and in the stream',
        'loses nothing between two streams, also when none was shown before the first one broke',
        'shows each type only to who may read what it tells',
      ),
    ),
    row(
      'own.storageAway',
      '503 with `Retry-After` while the storage is away; nothing acknowledged is lost',
      handleError('a storage that is away is 503 with Retry-After, and a value that is taken 409'),
      tests.diskFull('on %s refuses with 503, keeps what it acknowledged, and goes on when there is room'),
    ),
    row(
      'own.users',
      'Users: invitations, and a last owner who stays',
      tests.invitations(
        'makes an inactive user, and its token, once accepted, a session with the invited role',
        'is accepted once, also when it is accepted many times at the same moment',
      ),
      tests.deleteUser('the last owner stays, also when two owners delete each other at once'),
    ),
    row(
      'own.inboxes',
      'Inboxes: one default, and conversations given to members in turn',
      tests.inboxes(
        'exactly one is the default, also when many are made it at once',
        'gives each member the same, also when many conversations come at once',
      ),
    ),
    row(
      'own.audit',
      'The audit log: who changed what, no values',
      tests.auditLog('names who changed what, newest first, and holds no values'),
    ),
    row(
      'own.merge',
      'Customers are merged',
      tests.mergeCustomers(
        'fills what is blank, joins tags and custom fields, and keeps what the target has',
        'moves all conversations, more than a page too, and tells nobody of them',
      ),
    ),
    row(
      'own.attachments',
      'Files of up to 10 MB, stored once, served as downloads that cannot act',
      tests.attachments(
        'answers what the file is, and gives its bytes back as a download that cannot act',
        'takes 10 MB, and not a byte more',
        'stores a file once, however often it is sent',
      ),
    ),
    row(
      'own.erasure',
      'An erasure hides all that belongs to its subject at once, and removes it however often the process is killed',
      tests.erasure('goes on where a killed process left it, and shows nothing of what is left meanwhile'),
    ),
    row(
      'own.widgetSecret',
      'The secret of an inbox’s widget: shown once, two valid during a rotation',
      tests.widgetSecret(
        'is shown once: no later reply, and nothing that is stored, holds it',
        'two are valid during a rotation, a third is refused, and no overlap ends both',
      ),
    ),
    row(
      'own.customerExport',
      'A customer’s own data as a file',
      tests.exportCustomer(
        'holds what is theirs, and nothing of the service’s own',
        'as CSV runs no formula in anybody’s spreadsheet',
      ),
    ),
  ],
}
