import { row, type Table } from './row.ts'
import { tests } from './test-files.ts'

const { analytics, apiKeys, apiDocs, conversations, everyList, manageWebhooks, matrix, specification } = tests

const permitted = matrix('refuses every credential that lacks the permission or the role, and no other')
const listed = everyList(
  'has its shape and its defaults',
  'accepts 1 to 100 rows a page, and any page up to the largest number',
)

const keys: Table = {
  title: 'Endpoints: API keys',
  rows: [
    row(
      'apiKeys.sessionOnly',
      'All of them need a session; an API key is refused',
      specification('an API key is refused there, whatever its permissions'),
      permitted,
    ),
    row(
      'apiKeys.list',
      '`GET /api/tenant/api-keys`: filters `environment`, `isActive`; `data.keys[]` with its totals',
      apiKeys('has its own shape, newest first, filtered by environment and activity'),
      listed,
    ),
    row(
      'apiKeys.create',
      '`POST /api/tenant/api-keys`: name and permissions required, the rest optional; the key once, with its prefix',
      specification(
        'POST takes every field, gives the key once, and its first 8 characters as the prefix',
        'POST demands name and permissions; the environment defaults to production',
      ),
    ),
    row(
      'apiKeys.get',
      '`GET /api/tenant/api-keys/{id}`: the record, never the key',
      specification('POST takes every field, gives the key once, and its first 8 characters as the prefix'),
    ),
    row(
      'apiKeys.update',
      '`PUT /api/tenant/api-keys/{id}`: name, permissions, activity',
      specification(
        'PUT changes name, permissions and activity, revoke deactivates, DELETE removes permanently',
      ),
    ),
    row(
      'apiKeys.revoke',
      '`POST /api/tenant/api-keys/{id}/revoke` deactivates',
      specification(
        'PUT changes name, permissions and activity, revoke deactivates, DELETE removes permanently',
      ),
    ),
    row(
      'apiKeys.delete',
      '`DELETE /api/tenant/api-keys/{id}` deletes the key permanently',
      specification(
        'PUT changes name, permissions and activity, revoke deactivates, DELETE removes permanently',
      ),
    ),
    row(
      'apiKeys.usage',
      '`GET /api/tenant/api-keys/{id}/usage`: a month’s requests, by endpoint and by method',
      apiKeys(
        'counts every request with the key by template and method, also refused ones, within two seconds',
        'of another month is empty; an invalid or too old month is refused',
      ),
    ),
  ],
}

const customers: Table = {
  title: 'Endpoints: customers',
  rows: [
    row(
      'customers.list',
      '`GET /api/v1/customers`: `search` in name, e-mail, phone and company; `tier`, `status`, `tags`; `data[]` and `pagination`',
      specification('GET lists by search, tier, status and tags, each alone and together'),
      listed,
    ),
    row(
      'customers.get',
      '`GET /api/v1/customers/{id}`',
      specification('POST accepts flat profile fields and returns them nested, with jobTitle beside them'),
    ),
    row(
      'customers.create',
      '`POST /api/v1/customers`: flat profile fields, one of first name, last name, e-mail or phone required',
      specification(
        'POST accepts flat profile fields and returns them nested, with jobTitle beside them',
        'POST needs one of the four names, and creates a bronze, active customer',
      ),
    ),
    row(
      'customers.update',
      '`PUT /api/v1/customers/{id}`: every field optional',
      specification('PUT changes every field, allows any change of status, and keeps absent fields'),
    ),
    row(
      'customers.delete',
      '`DELETE /api/v1/customers/{id}` deletes the customer and its data permanently',
      specification('DELETE removes the customer and its data permanently'),
      conversations('hides a deleted customer with its conversations and messages from every read'),
    ),
  ],
}

const talks: Table = {
  title: 'Endpoints: conversations',
  rows: [
    row(
      'conversations.list',
      '`GET /api/v1/conversations`: `status`, `priority`, `assignedTo`, `inboxId`, `customerId`; ids in the rows',
      specification('GET lists by status, priority, assignee, inbox and customer'),
      listed,
    ),
    row(
      'conversations.get',
      '`GET /api/v1/conversations/{id}`: customer and assignee as objects',
      specification('GET by id shows customer and assignee in full; lists and responses to changes hold ids'),
    ),
    row(
      'conversations.create',
      '`POST /api/v1/conversations`: subject and inbox required; channel `email`, priority `medium` by default',
      specification(
        'POST demands subject and inboxId; the channel defaults to email and the priority to medium',
      ),
    ),
    row(
      'conversations.update',
      '`PUT /api/v1/conversations/{id}`: subject, status, priority, assignee or null',
      specification(
        'PUT allows any change of status, and changes subject, priority and assignee',
        'GET by id shows customer and assignee in full; lists and responses to changes hold ids',
      ),
    ),
    row(
      'conversations.delete',
      '`DELETE /api/v1/conversations/{id}`: an optional reason; deletes its messages too',
      specification('DELETE accepts a reason, and removes the conversation with all its messages'),
    ),
  ],
}

const webhooks: Table = {
  title: 'Endpoints: webhooks',
  rows: [
    row(
      'webhooks.create',
      '`POST /api/v1/webhooks`: name, HTTPS URL and events required; headers and retry policy; the secret once',
      specification(
        'POST shows the secret once; retries default to 3 and exponential',
        'POST demands a name of 1 to 100 characters, an HTTPS URL and events',
      ),
    ),
    row(
      'webhooks.list',
      '`GET /api/v1/webhooks`: `isActive`; `data.webhooks[]` with its totals',
      specification('POST shows the secret once; retries default to 3 and exponential'),
      listed,
    ),
    row(
      'webhooks.get',
      '`GET /api/v1/webhooks/{id}`: without the secret',
      specification('POST shows the secret once; retries default to 3 and exponential'),
    ),
    row(
      'webhooks.update',
      '`PUT /api/v1/webhooks/{id}`: every field optional, the URL stays HTTPS',
      specification('PUT changes every field and keeps absent ones; DELETE removes the webhook permanently'),
    ),
    row(
      'webhooks.delete',
      '`DELETE /api/v1/webhooks/{id}`: deletes it permanently, deliveries stop at once',
      specification('PUT changes every field and keeps absent ones; DELETE removes the webhook permanently'),
      manageWebhooks('delete removes the webhook permanently, and every operation on it is then NOT_FOUND'),
      tests.storageDeliveries(
        'the log and the pending attempts of a webhook are deleted with it, also an attempt that is running',
      ),
    ),
    row(
      'webhooks.test',
      '`POST /api/v1/webhooks/{id}/test` sends a test event; a fixed message',
      specification(
        'POST …/test confirms with a fixed text that the event was sent; the log shows the attempt',
      ),
      manageWebhooks(
        'test makes one attempt, also when inactive, logs it, and masks own headers in its reply',
      ),
    ),
    row(
      'webhooks.logs',
      '`GET /api/v1/webhooks/{id}/logs`: by `status`; `data.logs[]` with its totals',
      specification(
        'POST …/test confirms with a fixed text that the event was sent; the log shows the attempt',
      ),
      listed,
    ),
  ],
}

const others: Table = {
  title: 'Endpoints: health and reference',
  rows: [
    row(
      'health',
      '`GET /api/v1/health` without a credential',
      specification('GET /api/v1/health needs no credential'),
    ),
    row(
      'apiDocs.page',
      'An interactive reference at `/api-docs/` that needs a session to show anything',
      apiDocs('is static, holds no data, and loads nothing from other origins'),
    ),
    row(
      'apiDocs.document',
      'The machine-readable document at `/api-docs/spec.json`, version 1.1.0',
      apiDocs(
        'needs a credential: an API key reads it, and a request without one is refused',
        'lists exactly the declared operations, each with its access, its example and every refusal',
      ),
    ),
  ],
}

const refusedMonth = analytics('%s refuses text that is no month, and a month over 24 months ago, by name')

const figures: Table = {
  title: 'Endpoints: analytics',
  rows: [
    row(
      'analytics.usage',
      '`GET /api/v1/analytics/usage`: a month’s usage, limits and overage',
      analytics(
        'counts each request of sessions and keys once, by path template and method, within two seconds',
        'has zeros for a month without requests',
      ),
      refusedMonth,
      permitted,
    ),
    row(
      'analytics.usageHistory',
      '`GET /api/v1/analytics/usage/history`: 1 to 24 months',
      analytics(
        'has exactly as many months as were asked for, oldest first, with zeros where nothing happened',
        'refuses %j months',
      ),
      permitted,
    ),
    row(
      'analytics.metrics',
      '`GET /api/v1/analytics/metrics`: response times, error rate, counts',
      analytics(
        'count 2xx as successes and 4xx and 5xx as failures, within two seconds, and agree with each other',
        'count a stream of events when it begins, and do not time it',
        'are zeros for a month without requests',
      ),
      tests.responseTimes(
        'differ from the exact ones of a distribution that is %s by at most 1 %%',
        'are the same whether one process counts all requests or several count a part each',
      ),
      refusedMonth,
      permitted,
    ),
    row(
      'analytics.tags',
      '`GET /api/v1/analytics/tags`: labels by range, agent and tag',
      analytics(
        'hold each conversation once for each label, with its share of the labelled ones, most frequent first',
        'follow changes of labels and assignees, and deletions',
        'are those of the range: moments, days in UTC, and by default the last 30 days',
        'are withheld for a user whose processing is restricted, and only for that user',
        'refuse %s and name the parameter',
      ),
      permitted,
    ),
  ],
}

export const servedEndpoints: readonly Table[] = [others, keys, customers, talks, webhooks, figures]
