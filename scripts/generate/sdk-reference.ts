import { eventTypes } from '../../packages/core/src/events/event-types.ts'
import { anchorOf, describeMethod, signatureOf } from './describe-method.ts'
import { dataTypes } from './sdk-events.ts'
import type { SdkMethod } from './sdk-method.ts'
import type { TypeBook } from './type-book.ts'

/** Renders docs/reference/sdk.md: every method, event and type of the SDK. */
export function renderSdkReference(areas: ReadonlyMap<string, readonly SdkMethod[]>, book: TypeBook): string {
  const methods = [...areas.values()].flat()
  return [
    '# Reference of `@crmkit/sdk`',
    '',
    'Generated from the contract by `npm run generate`; do not edit. To learn it, read [sdk.md](../sdk.md).',
    '',
    'Every method ends in `options?: CallOptions`: `signal`, `timeout`, `deadline`, `maxRetries`, `headers` and',
    '`idempotencyKey`. Besides the errors named here, each throws `ConnectionError`, `TimeoutError`, `AbortedError` and',
    '`ServerError`.',
    '',
    '## Methods',
    '',
    '| method | request | |',
    '|---|---|---|',
    ...methods.map((method) => {
      const { summary, endpoint } = describeMethod(method)
      return `| [crm.${method.operation.id}](#${anchorOf(method)}) | ${endpoint} | ${summary} |`
    }),
    '',
    ...methods.flatMap((method) => [renderMethod(method, book), '']),
    '## Events',
    '',
    '| event | `data` |',
    '|---|---|',
    ...eventTypes.map((type) => `| \`${type}\` | \`${dataTypes[type]}\` |`),
    '| `webhook.test` | `{ webhookId, name, message }` |',
    '| `unknown` | any JSON; `eventName` is the type as the service sent it |',
    '',
    '## Types',
    '',
    ...book.names().flatMap((name) => [`### ${name}`, '', '```ts', book.textOf(name), '```', '']),
  ].join('\n')
}

function renderMethod(method: SdkMethod, book: TypeBook): string {
  const { summary, remarks, need, endpoint, errors } = describeMethod(method)
  const signature = `crm.${method.area}.${signatureOf(method)}`
  const named = book.names().filter((name) => new RegExp(`\\b${name}\\b`).test(signature))
  const links = named.map((name) => `[${name}](#${name.toLowerCase()})`)
  return [
    `### crm.${method.operation.id}`,
    '',
    [summary, ...remarks].join(' '),
    '',
    '```ts',
    signature,
    '```',
    '',
    `${endpoint}. ${need}${links.length > 0 ? ` Types: ${links.join(', ')}.` : ''}`,
    '',
    ...errors.map(({ name, when }) => `- \`${name}\`: ${when}`),
  ].join('\n')
}
