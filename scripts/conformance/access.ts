import { row, type Table } from './row.ts'
import { tests } from './test-files.ts'

const { auth, credentials, foreignIds, keyText, limits, matrix, requests, specification } = tests

const permission = specification('%s grants %s %s, in either header, and nothing else does')
const everywhere = matrix('refuses every credential that lacks the permission or the role, and no other')

export const access: Table = {
  title: 'Authentication',
  rows: [
    row(
      'auth.tenant',
      'Every request acts for one tenant and sees nothing of another',
      foreignIds(
        'responds to another tenant’s id in the path exactly as to an unknown one',
        'refuses another tenant’s id in the body as a reference to an unknown resource',
        'finds nothing by another tenant’s id',
        'has left the other tenant unchanged by all requests above, in more than 2,000 variants',
      ),
    ),
    row(
      'auth.keyHeaders',
      'An API key as a bearer token or as `X-API-Key`',
      requests('a key is accepted in either header, and two different keys are refused'),
    ),
    row(
      'auth.keyForm',
      'Production keys begin with `sk_live_`, test keys with `sk_test_`',
      specification(
        'POST takes every field, gives the key once, and its first 8 characters as the prefix',
        'POST demands name and permissions; the environment defaults to production',
      ),
      keyText('refuses a key with any one character changed'),
    ),
    row(
      'auth.testKeys',
      'Test keys are refused in production',
      credentials('for tests is refused in production, and every live key is accepted in staging'),
    ),
    row('auth.keyOnce', 'The key is shown once', requests('a key, a hash or a secret is never shown again')),
    row(
      'auth.whitelist',
      'A key may be bound to addresses',
      credentials('for the addresses %j gets the response to 127.0.0.1 with status %i'),
      tests.addresses(
        'ignores X-Forwarded-For unless a proxy is trusted',
        'accepts only the address that the trusted proxy saw, and none that was written further left',
      ),
    ),
    row(
      'auth.expiry',
      'A key may have an end',
      requests('a revoked, expired, restricted or deleted key is refused at the very next request'),
    ),
    row(
      'auth.rotation',
      'A key may have a rotation policy',
      tests.keyRules('reports a rotation as due soon or overdue by the policy of the key alone'),
      tests.apiKeys('makes a new key with the same settings, and the old key works during the overlap'),
    ),
    row(
      'auth.keyLimit',
      'A key may have a rate limit of its own',
      limits(
        'with a limit of its own is refused at it, learns when it ends, and is served again at that moment',
      ),
    ),
    row('permission.readConversations', '`read:conversations`', permission, everywhere),
    row('permission.writeConversations', '`write:conversations`', permission, everywhere),
    row('permission.readCustomers', '`read:customers`', permission, everywhere),
    row('permission.writeCustomers', '`write:customers`', permission, everywhere),
    row('permission.webhookManage', '`webhook:manage`', permission, everywhere),
    row('permission.readAnalytics', '`read:analytics`', permission, everywhere),
    row(
      'auth.session',
      'A session token as a bearer token, from a login',
      auth('signs in, and gives one response to a wrong password and to an unknown e-mail'),
      credentials(
        '(%s) is refused with AUTH_REQUIRED',
        'signed by these tests equals the server’s own, byte for byte: every case below differs only in its mutation',
      ),
    ),
    row(
      'auth.sessionLife',
      'A session token ends after 15 minutes',
      specification('a session lives 15 minutes and is accepted in place of a key'),
      tests.sessionTokens('are accepted with their claims until the second in which they expire'),
    ),
    row(
      'auth.sessionOnly',
      'A session is demanded for the management of keys, data privacy and telephony',
      specification('an API key is refused there, whatever its permissions'),
    ),
    row(
      'auth.sessionInstead',
      'A session is accepted in place of a key for conversations, customers, webhooks and analytics',
      specification('a session lives 15 minutes and is accepted in place of a key'),
      everywhere,
    ),
  ],
}

export const errors: Table = {
  title: 'Errors',
  rows: [
    row(
      'error.envelope',
      '`{success: false, error, code}`',
      tests.everyOperation('sends the common headers with a success and with every kind of refusal'),
    ),
    row(
      'error.authRequired',
      '401 `AUTH_REQUIRED`',
      matrix('refuses a request without a credential or with an invented one'),
    ),
    row(
      'error.keyInvalid',
      '401 `API_KEY_INVALID`',
      credentials(
        'with one changed character after its prefix is refused with API_KEY_INVALID',
        '%s is refused with API_KEY_INVALID, in either header',
      ),
    ),
    row(
      'error.keyExpired',
      '401 `API_KEY_EXPIRED`',
      credentials('with several faults is refused for the first of invalid, inactive, expired, suspended'),
    ),
    row(
      'error.keyInactive',
      '401 `API_KEY_INACTIVE`',
      credentials('with several faults is refused for the first of invalid, inactive, expired, suspended'),
    ),
    row(
      'error.tenantSuspended',
      '401 `TENANT_SUSPENDED`',
      credentials('with several faults is refused for the first of invalid, inactive, expired, suspended'),
    ),
    row('error.permissionDenied', '403 `PERMISSION_DENIED`', everywhere),
    row(
      'error.rateLimit',
      '429 `RATE_LIMIT_EXCEEDED` with `limit` and `resetAt`',
      limits(
        'with a limit of its own is refused at it, learns when it ends, and is served again at that moment',
      ),
    ),
    row(
      'error.notFound',
      '404 for an unknown resource',
      foreignIds('responds to any unknown id with one 404'),
      requests('responds to an unknown path with 404 and to an unknown method with 405 and the allowed ones'),
    ),
    row(
      'error.validation',
      '422 for invalid input',
      matrix('names the field and the rule for invalid values in the body'),
      requests('names each invalid field with its rule, all at once, and never repeats a value'),
    ),
    row(
      'error.internal',
      '500 in the same envelope',
      tests.handleError(
        'an unexpected failure has a fixed text in the response, and its cause in the log with the fields of the request',
      ),
    ),
    row(
      'error.cancelRefused',
      'A refused cancel of a deletion request, in the envelope',
      tests.privacy('that is %s cannot be cancelled'),
    ),
  ],
}
