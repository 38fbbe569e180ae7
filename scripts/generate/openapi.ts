import { operations } from '../../packages/core/src/contract/operations.ts'
import { buildDocument } from '../../packages/server/src/http/pages/api-docs/build-document.ts'

export const openapiPath = 'openapi.json'

/** The document of a server at the root of its origin, for programs that make clients of it. */
export function renderOpenapi(): string {
  return `${JSON.stringify(buildDocument({ operations, serverUrl: '/' }), null, 1)}\n`
}
