import { operations } from '../../packages/core/src/contract/operations.ts'
import { buildDocument } from '../../packages/server/src/http/pages/api-docs/build-document.ts'

export const openapiPath = 'openapi.json'

/**
 * The document of a server at the root of its origin, for programs that make clients of it. One line for each operation, schema
 * and other part, so that a change shows where it happened.
 */
export function renderOpenapi(): string {
  return `${linesOf(buildDocument({ operations, serverUrl: '/' }), 3)}\n`
}

/** JSON whose members have a line each down to this depth. */
function linesOf(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const lines = members.map(([name, member]) => `${JSON.stringify(name)}: ${linesOf(member, depth - 1)}`)
  return `{\n${lines.join(',\n')}\n}`
}
