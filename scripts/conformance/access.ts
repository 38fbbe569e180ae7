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
        'answers another tenant’s id in the path exactly as an unknown one',
        'refuses another tenant’s id in the body as a reference to nothing',
        'finds nothing by another tenant’s id',
        'left the other tenant untouched by everything above, and was tried in more than 2,000 ways',
      ),
    ),
    row(
      'auth.keyHeaders',
      'An API key as a bearer token or as `X-API-Key`',
      requests('takes a key in either header, and refuses two that differ'),
    ),
    row(
      'auth.keyForm',
      'Production keys begin with `sk_live_`, test keys with `sk_test_`',
      specification(
        'POST takes every field, gives the key once, and its first 8 characters as the prefix',
        'POST demands name and permissions; the environment is production unless told otherwise',
      ),
      keyText('refuses a key with any one character changed'),
    ),
    row(
      'auth.testKeys',
      'Test keys are refused in production',
      credentials('for tests is refused in production, and every live key is welcome in staging'),
    ),
    row('auth.keyOnce', 'The key is shown once', requests('never shows a key, a hash or a secret again')),
    row(
      'auth.whitelist',
      'A key may be bound to addresses',
      credentials('for the addresses %j answers 127.0.0.1 with %i'),
      tests.addresses(
        'believes no X-Forwarded-For unless a proxy is trusted',
        'believes a trusted proxy what it saw itself, and nothing that was written further left',
      ),
    ),
    row(
      'auth.expiry',
      'A key may have an end',
      requests('acts on a revoked, expired, restricted or deleted key with the very next request'),
    ),
    row(
      'auth.rotation',
      'A key may have a rotation policy',
      tests.keyRules('reports a rotation as due soon or overdue by the policy of the key alone'),
      tests.apiKeys('makes a new key with the same settings, and lets the old one live for the overlap'),
    ),
    row(
      'auth.keyLimit',
      'A key may have a rate limit of its own',
      limits('with a limit of its own meets it, is told when it ends, and is served again at that moment'),
    ),
    row('permission.readConversations', '`read:conversations`', permission, everywhere),
    row('permission.writeConversations', '`write:conversations`', permission, everywhere),
    row('permission.readCustomers', '`read:customers`', permission, everywhere),
    row('permission.writeCustomers', '`write:customers`', permission, everywhere),
    row('permission.webhookManage', '`webhook:manage`', permission, everywhere),
    row('permission.readAnalytics', '`read:analytics`: what it grants is not served yet'),
    row(
      'auth.session',
      'A session token as a bearer token, from a login',
      auth('signs in, and answers a wrong password and an unknown e-mail alike'),
      credentials(
        '(%s) is refused with AUTH_REQUIRED',
        'signed by these tests is the server’s own, byte for byte: in what follows only the mutation differs',
      ),
    ),
    row(
      'auth.sessionLife',
      'It ends after 15 minutes',
      specification('a session lives 15 minutes and is accepted in the place of a key'),
      tests.sessionTokens('are accepted with their claims until the second in which they expire'),
    ),
    row(
      'auth.sessionOnly',
      'It is demanded for the management of keys (data privacy and telephony are not served yet)',
      specification('an API key is refused there, whatever it may do'),
    ),
    row(
      'auth.sessionInstead',
      'It is taken in the place of a key for conversations, customers and webhooks (analytics: not served yet)',
      specification('a session lives 15 minutes and is accepted in the place of a key'),
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
      tests.everyOperation('sends the common headers with an answer and with every kind of refusal'),
    ),
    row(
      'error.authRequired',
      '401 `AUTH_REQUIRED`',
      matrix('refuses a request without a credential or with a made-up one'),
    ),
    row(
      'error.keyInvalid',
      '401 `API_KEY_INVALID`',
      credentials(
        'with any one character changed after its prefix is refused with API_KEY_INVALID',
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
      limits('with a limit of its own meets it, is told when it ends, and is served again at that moment'),
    ),
    row(
      'error.notFound',
      '404 for what is not there',
      foreignIds('answers any id that names no such thing with one 404'),
      requests('answers an unknown path with 404 and an unknown method with 405 and the allowed ones'),
    ),
    row(
      'error.validation',
      '422 for what is not valid',
      matrix('names the field and the rule for garbage in the body'),
      requests('names each field with its rule, all at once, and never repeats a value'),
    ),
    row(
      'error.internal',
      '500 in the same envelope',
      tests.handleError(
        'a failure that nobody foresaw says a fixed text, and its cause stands in the log with the fields of the request',
      ),
    ),
    row('error.cancelRefused', 'A refused cancel of a deletion request, in the envelope'),
  ],
}
