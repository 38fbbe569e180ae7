// Generated from the contract by scripts/generate.ts. Do not edit.
import type { ApiPromise } from '../core/api-promise.ts'
import type { CallOptions } from '../core/call-options.ts'
import { Resource } from '../core/resource.ts'
import type {
  SearchFindQuery,
  SearchResults,
} from './types.gen.ts'

/** One search over customers, conversations and messages. */
export class SearchResource extends Resource {
  /**
   * Search customers, conversations and messages at once.
   *
   * Conversations of every status are found. All words must occur in one place: in the customer, in the subject, or in one message. Operators narrow the search: `from:` (name or e-mail of the customer), `in:` (inbox), `is:` (`open`, `pending`, `snoozed`, `closed`, `unread`, `unassigned`, `waiting`), `label:`, `assigned:` (`me`, `none`, an id or a name), `has:file`, `before:` and `after:` (a day or a time). Quotes hold blanks together: `label:"Big deal"`. The same operator twice means either, different ones mean both; an unknown one is text. There are no totals and no further pages. Each group stops after a quarter of a second with what it has, and says so in `isPartial`.
   *
   * `GET /api/v1/search`. Needs the permission `read:conversations`.
   *
   * @throws {AuthenticationError | PermissionError | ValidationError | RateLimitError} See node_modules/@crmkit/sdk/dist/docs/reference/sdk.md#crmsearchfind
   */
  find(query?: SearchFindQuery, options?: CallOptions): ApiPromise<SearchResults> {
    return this.requester.call({ method: 'GET', path: '/api/v1/search' }, { query }, options)
  }
}
