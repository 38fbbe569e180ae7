import { row, type Table } from './row.ts'
import { tests } from './test-files.ts'

const { apiKeys, conversations, conversationRules, credentials, deliveries, requests, specification } = tests

export const resources: Table = {
  title: 'Resources and their fields',
  rows: [
    row(
      'customer.fields',
      'Customer: profile nested in responses and flat in bodies, tier `bronze` by default, three statuses, free custom fields',
      specification(
        'POST accepts flat profile fields and returns them nested, with jobTitle beside them',
        'POST needs one of the four names, and creates a bronze, active customer',
      ),
    ),
    row(
      'conversation.fields',
      'Conversation: four statuses, four priorities, eight channels, source, labels',
      specification(
        'POST demands subject and inboxId; the channel defaults to email and the priority to medium',
        'PUT allows any change of status, and changes subject, priority and assignee',
      ),
      conversations('merges and removes labels without regard to case, and limits them'),
    ),
    row(
      'apiKey.fields',
      'API key: environment, permissions, expiry, rotation policy, own rate limit, addresses, activity, prefix of 8 characters',
      specification('POST takes every field, gives the key once, and its first 8 characters as the prefix'),
    ),
    row(
      'webhook.fields',
      'Webhook: name, HTTPS URL, events, secret once, activity, headers, retry policy',
      specification(
        'POST shows the secret once; retries default to 3 and exponential',
        'maxRetries is 0 to 10, and the strategy is linear or exponential',
      ),
    ),
    row(
      'deliveryLog.fields',
      'Delivery log: event, status, status code, attempt, times, error',
      specification(
        'POST …/test confirms with a fixed text that the event was sent; the log shows the attempt',
      ),
      deliveries('an event reaches its receiver immediately after the commit, and the log shows the attempt'),
    ),
    row(
      'deletionRequest.fields',
      'Deletion request and data-rights summary',
      tests.privacy('are submitted with their own fields, and return the summary of the specification'),
    ),
    row(
      'integration.fields',
      'External CRM integration',
      tests.integrations(
        'a new integration for files has the declared fields, its own id as its account, and imports all parts',
      ),
    ),
    row(
      'call.metadata',
      'Call metadata: notes, tags, rating',
      tests.telephony('are recorded, listed, read and remarked on, and tell one event'),
    ),
    row(
      'tagItem.fields',
      'Tag analytics item; browser-call token',
      tests.analytics(
        'hold each conversation once for each label, with its share of the labelled ones, most frequent first',
      ),
      tests.telephony('is what the provider’s own library makes, and lives ten minutes'),
    ),
    row(
      'conventions',
      'JSON with `success`; ISO 8601 times; opaque ids; lists with their totals',
      tests.everyOperation('sends the common headers with a success and with every kind of refusal'),
      tests.everyList('has its shape and its defaults'),
      specification('GET /api/v1/health needs no credential'),
    ),
  ],
}

export const states: Table = {
  title: 'States and transitions',
  rows: [
    row(
      'state.conversation',
      'Conversation: any status to the one that a PUT gives',
      specification('PUT allows any change of status, and changes subject, priority and assignee'),
      conversationRules('may lead from %s to any status'),
      tests.conversationModel(
        'a conversation follows the rules of its states, and sends each event once and in order',
      ),
    ),
    row(
      'state.snoozed',
      'Conversation `snoozed` (how it is entered is the contract’s): with or without an end, woken by time or reply',
      conversations(
        'accepts a snooze only with its status and in the future, and clears it with any other status',
        'opens a due snooze by itself within two seconds',
        'opens a %s conversation on an inbound message',
      ),
    ),
    row(
      'state.customer',
      'Customer: any status to the one that a PUT gives',
      specification('PUT changes every field, allows any change of status, and keeps absent fields'),
    ),
    row(
      'state.deletionCancelled',
      'Deletion request: pending to cancelled',
      tests.privacy(
        'is one at a time, is reported by its status, and can be made again after it was cancelled',
      ),
      tests.privacyRules('moves from %s only to the states that the contract allows'),
    ),
    row(
      'state.deletionRefused',
      'Deletion request: a cancel of what is processing or completed is refused',
      tests.privacy('that is %s cannot be cancelled'),
    ),
    row(
      'state.restriction',
      'Restriction request: made as pending',
      tests.privacy('are submitted with their own fields, and return the summary of the specification'),
    ),
    row(
      'state.keyRevoked',
      'API key: revoke makes it inactive',
      specification(
        'PUT changes name, permissions and activity, revoke deactivates, DELETE removes permanently',
      ),
      requests('a revoked, expired, restricted or deleted key is refused at the very next request'),
    ),
    row(
      'state.keyActivity',
      'API key: a PUT with `isActive` gives the value, from either',
      specification(
        'PUT changes name, permissions and activity, revoke deactivates, DELETE removes permanently',
      ),
      apiKeys('cannot reactivate a revoked key by clearing isActive'),
      tests.keyModel('the response to a key depends on its own state, its end and its tenant, in that order'),
    ),
    row(
      'state.keyDeleted',
      'API key: deleted permanently from any state',
      requests('a revoked, expired, restricted or deleted key is refused at the very next request'),
    ),
    row(
      'state.keyExpired',
      'API key: past its end it is refused as expired',
      requests('a revoked, expired, restricted or deleted key is refused at the very next request'),
      credentials('with several faults is refused for the first of invalid, inactive, expired, suspended'),
    ),
    row(
      'state.integration',
      'Integration: `idle` and the values beside it',
      tests.imports('an uploaded file is described, imported in the background, and not imported twice'),
      tests.importRuns(
        'a rate limit that lasts longer pauses the run until the source allows requests again',
        'a source that refuses the credentials ends the run, switches automatic sync off, and is in the audit log once',
      ),
    ),
    row(
      'state.delivery',
      'Delivery: pending, then success or failed',
      deliveries(
        'every attempt carries the same bytes and ids, at the planned times and never early',
        'after the last retry the delivery stays failed',
      ),
    ),
  ],
}
