import { mailRules } from './mail-rules.ts'
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
        'is reported after version, route and credential, and before permission, body and the later checks',
        'an Idempotency-Key is checked after validation, and before the work',
        'an address that is not on a key’s list is refused before the permissions of the key',
      ),
      tests.values('refuses invalid input before it reads the resource that the path names: %s %s'),
    ),
    row(
      'own.oneList',
      'Every operation is declared once; server, document, client, command line and tests list the same',
      tests.oneList(
        'a handler',
        'a route that is mounted',
        'a place in the document',
        'a method of the client, except those that a visitor’s browser calls',
        'a command that calls them, except those of a visitor’s browser; `crm api` takes any path besides',
      ),
    ),
    row(
      'own.positions',
      'Cursors, positions of the event log and idempotency keys of another tenant lead nowhere',
      foreignIds(
        'returns its own rows or none for another tenant’s position',
        'returns no reply that another tenant’s Idempotency-Key has made',
        'a stream shows nothing of another tenant from its position in %s',
      ),
    ),
    row(
      'own.quotas',
      'The data of a tenant has limits: 403 `QUOTA_EXCEEDED` beyond them, while deletions, changes and sign-ins go on',
      tests.quotas(
        'refuses one more of %s than the limit, and stores nothing of it',
        'is kept exactly by many writes at the same time',
        'lets reads, changes, deletions and sign-ins go on at the limit',
        'refuses an upload that could exceed it, and counts files that no message carries',
      ),
    ),
    row(
      'own.details',
      'A 422 names every failure at once, each with its field, its rule and its part of the request',
      requests(
        'names each invalid field with its rule, all at once, and never repeats a value',
        'checks rules across fields also when single fields are invalid',
      ),
      foreignIds('names every unknown reference at once'),
    ),
    row(
      'own.noEcho',
      'Rejected values are never repeated',
      everyField('never repeats a refused value, wherever it is in the request'),
    ),
    row(
      'own.emptyPut',
      'A `PUT` without a change changes nothing and sends no event',
      everyField('of %s responds with 200, changes nothing and sends no event'),
    ),
    row(
      'own.unknownFields',
      'An unknown field of a body is refused, a query parameter that is not known is ignored',
      matrix('names the field and the rule for invalid values in the body'),
      everyOperation('a GET ignores query parameters that it does not know'),
    ),
    row(
      'own.bodies',
      'Bodies: 400 for broken JSON, 413 beyond 1 MB, 415 for another type, 422 beyond 32 levels',
      everyOperation('refuses %s'),
    ),
    row(
      'own.methods',
      '405 with `Allow` on every path',
      everyOperation('every path refuses the methods it does not have, and names those it has'),
    ),
    row(
      'own.headers',
      '`X-Request-Id`, `X-API-Version`, `nosniff` and `no-store` on every response',
      everyOperation(
        'sends the common headers with a success and with every kind of refusal',
        'a request id of 8 to 64 letters, digits, _ and - is kept; any other is replaced',
      ),
      tests.malformed('responds to %s in the envelope, and hangs up'),
    ),
    row(
      'own.limitHeaders',
      'Rate limits in both forms of headers on every response to a good credential',
      everyOperation('every response to a good credential names its limit in both forms'),
    ),
    row(
      'own.cursors',
      'Lists are read completely by pages and by cursors',
      everyList('is read completely by pages and by cursors, every row once and in one order'),
    ),
    row(
      'own.findOrCreate',
      'Find or create: exact `email=` and `externalId=`, `PUT …/by-external-id/{source}/{id}` with one winner, tags one by one, bulk creation with a result for each row, `assignedTo=me`',
      tests.findOrCreate(
        'finds customers by their exact e-mail, without regard to case, and beside other filters',
        'finds a customer by an external id exactly, in every order and beside other filters',
        'makes one customer of many requests at the same time, and each of them returns it',
        'are added and removed one by one: many requests at the same time lose none',
        'creates the valid rows and reports the problems of the others, in the order of the rows',
        'lists the conversations of the signed-in user, and is refused for an API key',
      ),
      foreignIds('changes a resource of its own by an external id that another tenant uses'),
    ),
    row(
      'own.idempotency',
      '`Idempotency-Key` on every authenticated POST',
      idempotency(
        'replays the first reply for the same key and body, and creates nothing twice',
        'serves one of many simultaneous requests; the others get a replay or are asked to wait',
        'stores no refusal: the same key works once the request is corrected',
      ),
      tests.effects('does its work once for one Idempotency-Key, and marks the second response as a replay'),
    ),
    row(
      'own.conversationStates',
      'The rules of a conversation’s states, and its events in their order, after random sequences',
      tests.conversationModel(
        'a conversation follows the rules of its states, and sends each event once and in order',
      ),
    ),
    row(
      'own.keyStates',
      'The response to a key after random sequences of changes, rotations and suspensions',
      tests.keyModel('the response to a key depends on its own state, its end and its tenant, in that order'),
    ),
    row(
      'own.changes',
      'Events of changes name each path with both values; no change, no event',
      events(
        'customers send an event when created, when changed (with each path and both values) and when deleted, and none without a change',
        'labels and users send one event for each change, and none without a change',
      ),
    ),
    row(
      'own.eventLog',
      'The log of events and its stream: ordered, resumable, each type only to callers who may read it',
      tests.eventStream(
        'lists the same events with positions that the list and the stream both accept',
        'loses no event between two streams, also when the first one broke before its first event',
        'shows each type only to callers who may read its data',
      ),
    ),
    row(
      'own.storageAway',
      '503 with `Retry-After` while the storage is unavailable; nothing acknowledged is lost',
      handleError('an unavailable storage is a 503 with Retry-After, and a taken unique value is a 409'),
      tests.diskFull(
        'on %s the server refuses with 503, keeps acknowledged changes, and continues when space is free again',
      ),
    ),
    row(
      'own.users',
      'Users: invitations, and a last owner who cannot be removed',
      tests.invitations(
        'an invitation makes an inactive user, and its accepted token makes a session with the invited role',
        'an invitation is accepted once, also by many simultaneous requests',
      ),
      tests.deleteUser('keeps the last owner, also when two owners delete each other at once'),
    ),
    row(
      'own.inboxes',
      'Inboxes: one default, and conversations assigned to members round-robin',
      tests.inboxes(
        'exactly one inbox is the default, also when many become it at once',
        'assigns each member the same number, also when many conversations come at once',
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
        'fills blank fields, joins tags and custom fields, and keeps the values of the target',
        'moves all conversations, also more than one page, and sends no event for them',
      ),
    ),
    row(
      'own.block',
      'A customer is blocked: their mail is ignored, and their chat refuses messages',
      tests.blockedCustomers(
        'keeps its first time, and its events and audit entries name each change once',
        'outlives a merge when the %s is blocked',
        'is stored and ignored: no message, no reopening, no automatic reply and no event',
        'with a forged From is ignored alone, and changes nothing about the customer',
        'is processed again when a person asks after the customer is unblocked, and not before',
        'reads what was written, and every way to write is refused until the block ends',
      ),
    ),
    row(
      'own.replyConflict',
      'A reply is refused when a colleague has answered in the meantime',
      tests.replyConflict(
        'rises by one with every reply, inbound message and note, and with nothing else',
        'is sent when nobody of the team has written since',
        'loses every race but one: of two agents who send at the same moment the second always learns of it',
      ),
    ),
    row(
      'own.unread',
      'Each user sees how many messages of a conversation are unread',
      tests.unread(
        'are counted for each user, notes included, and the first one is named where one conversation is read',
        'raises the mark, never lowers it, and never beyond the conversation',
        'leaves a named message and the newer ones unread',
      ),
    ),
    row(
      'own.drafts',
      'Users and keys keep drafts in a conversation, and anybody who may write sends one, once',
      tests.drafts(
        'is null until its author saves one, and belongs to that author alone',
        'is refused with another expected version, and the refusal holds the draft',
        'makes a message of it and ends it; a repeated request gets the same message',
        'names the author where somebody else sends it',
        'stay as long as the draft names them, and go to its message',
      ),
    ),
    row(
      'own.scheduledDrafts',
      'The service sends a draft at its time, unless somebody has replied or the author may not write any more',
      tests.scheduledDrafts(
        'is sent by itself, in the name of its author, who has then read it, and is reported',
        'is not sent after %s, and says so',
        'is not sent while its author is inactive, or may not write any more, or the key is revoked',
      ),
    ),
    row(
      'own.live',
      'Live events: for signed-in users alone, stored nowhere, and never for the chat widget',
      tests.liveEvents(
        'is refused to an API key',
        'is needed for live types, which are neither listed nor sent to webhooks',
        'sends only the types that were asked for, of both sorts',
        'reaches the streams of the same user alone',
      ),
      tests.liveWidget(
        'a visitor gets no event of the team: no live one but the sign of a reply, no note, and of the others only those of the widget',
        'a reader that does not keep up loses live events, and no event of the log',
      ),
    ),
    row(
      'own.counts',
      'The counts of a stream are those of the lists, after any changes',
      tests.liveEvents(
        'begins with all counts, and has no id for them',
        'are those of the lists, for each user',
      ),
      tests.liveCounts(
        'the counts in memory are those of the query after any changes, without reading the conversations again',
      ),
    ),
    row(
      'own.presence',
      'Presence: the whole list to the team, ended by sign-out',
      tests.liveEvents(
        'is returned without the caller, and sent in full to the team',
        'ends with the session',
      ),
    ),
    row(
      'own.attachments',
      'Files of up to 10 MB, stored once, served as downloads that no browser runs',
      tests.attachments(
        'describes the file, and returns its bytes as a download that no browser runs',
        'accepts 10 MB, and not a byte more',
        'stores a file once, however often it is sent',
      ),
    ),
    row(
      'own.erasure',
      'An erasure hides its subject with all children at once, and removes them however often the process is killed',
      tests.erasure(
        'an erasure continues where a killed process left it, and hides the remaining rows meanwhile',
      ),
    ),
    row(
      'own.widgetSecret',
      'The secret of an inbox’s widget: shown once, two valid during a rotation',
      tests.widgetSecret(
        'is shown once: no later reply and no stored text holds it',
        'has two valid values during a rotation; a third is refused, and a rotation without overlap ends both',
      ),
    ),
    row(
      'own.customerExport',
      'A customer’s own data as a file',
      tests.exportCustomer(
        'holds the customer’s data, and nothing that only the service uses',
        'as CSV runs no formula in a spreadsheet',
      ),
    ),
    ...mailRules,
  ],
}
