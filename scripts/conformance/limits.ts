import { row, type Table } from './row.ts'
import { tests } from './test-files.ts'

const { everyList, everyOperation, limits, requests, specification } = tests

export const limitRows: Table = {
  title: 'Limits',
  rows: [
    row(
      'limit.pageSizeMax',
      'At most 100 rows a page',
      everyList(
        'accepts 1 to 100 rows a page, and any page up to the largest number',
        'refuses any other %s, naming it',
      ),
    ),
    row(
      'limit.pageSizeDefault',
      '20 rows a page by default, 50 of conversations',
      everyList('has its shape and its defaults'),
    ),
    row('limit.pageDefault', 'The first page by default', everyList('has its shape and its defaults')),
    row(
      'limit.webhookName',
      'Webhook names of 1 to 100 characters',
      specification('POST demands a name of 1 to 100 characters, an HTTPS URL and events'),
    ),
    row(
      'limit.maxRetries',
      '`maxRetries` 0 to 10, 3 by default',
      specification(
        'maxRetries is 0 to 10, and the strategy is linear or exponential',
        'POST shows the secret once; retries default to 3 and exponential',
      ),
    ),
    row(
      'limit.historyMonths',
      'History of 1 to 24 months, 12 by default',
      tests.analytics(
        'has exactly as many months as were asked for, oldest first, with zeros where nothing happened',
        'refuses %j months',
      ),
    ),
    row(
      'limit.analyticsKept',
      'Analytics kept for 24 months',
      tests.storageUpkeep(
        'usage is stored for 24 months after its own month, and no longer',
        'outcomes and response times are stored for 24 months after their own, and no longer',
      ),
    ),
    row(
      'limit.sessionLife',
      'Sessions of 15 minutes',
      specification('a session lives 15 minutes and is accepted in place of a key'),
    ),
    row('limit.responseTime', '5 seconds for a receiver', tests.attempt('gives the receiver five seconds')),
    row(
      'limit.monthlyCalls',
      'Monthly API calls of a plan, with the overage',
      tests.analytics('shows the limit that the operator has set for the tenant, and the requests beyond it'),
    ),
    row(
      'limit.perKey',
      'A key’s own rate limit: requests per window',
      limits(
        'with a limit of its own is refused at it, learns when it ends, and is served again at that moment',
      ),
      specification('a rate limit per window %j gets the status %i'),
    ),
  ],
}

export const versions: Table = {
  title: 'Versions',
  rows: [
    row(
      'version.path',
      'By the path’s prefix, `/api/v1/…`',
      everyOperation('%s works without a version, as deprecated'),
    ),
    row(
      'version.header',
      'Or by the header `X-API-Version`; `v2` does not exist yet',
      everyOperation(
        'accepts the version in the header, and a request without one',
        'sends the common headers with a success and with every kind of refusal',
      ),
    ),
    row(
      'version.default',
      'Without a version the latest stable one, `v1`',
      everyOperation('accepts the version in the header, and a request without one'),
    ),
    row(
      'version.legacy',
      'Paths without a version, such as `/api/conversations`',
      everyOperation('%s works without a version, as deprecated'),
    ),
    row(
      'version.unversioned',
      'Keys, data privacy and telephony (and later external CRM) have no version in their paths',
      everyOperation('are canonical for operations that never had a version, which no version opens'),
    ),
    row(
      'version.deprecation',
      'A deprecated version says so: `X-API-Version`, `X-API-Deprecated`, `X-API-Sunset`, `Warning`',
      everyOperation('%s works without a version, as deprecated'),
      requests('serves paths without version as deprecated, and marks no canonical path'),
    ),
    row(
      'version.document',
      'The document is at version 1.1.0',
      tests.apiDocs(
        'lists exactly the declared operations, each with its access, its example and every refusal',
      ),
    ),
  ],
}
