import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Operation, OperationAuth } from '../../packages/core/src/contract/define-operation.ts'
import { type ErrorCode, errorMeanings, errorStatus } from '../../packages/core/src/contract/error-codes.ts'
import { operations } from '../../packages/core/src/contract/operations.ts'
import { permissions, rolePermissions, roles } from '../../packages/core/src/contract/permissions.ts'
import { withGeneratedPart } from './generated-part.ts'

export const contractPath = 'docs/contract/2-contract.md'

const tables: Readonly<Record<string, () => string>> = {
  errors: errorTable,
  permissions: permissionTable,
  operations: operationTable,
}

/** Returns the contract with its tables rendered from core; the text between them is written by hand. */
export function renderContract(root: string): string {
  let text = readFileSync(join(root, contractPath), 'utf8')
  for (const [name, render] of Object.entries(tables)) text = withGeneratedPart(text, name, render())
  return text
}

function errorTable(): string {
  const rows = Object.entries(errorStatus).map(
    ([code, status]) => `| ${status} | \`${code}\` | ${errorMeanings[code as ErrorCode]} |`,
  )
  return table(['status', 'code', 'meaning'], rows)
}

function permissionTable(): string {
  const rows = permissions.map((permission) => {
    const marks = roles.map((role) => (rolePermissions[role].includes(permission) ? 'yes' : '–'))
    return `| \`${permission}\` | ${marks.join(' | ')} |`
  })
  return table(['permission', ...roles], rows)
}

function operationTable(): string {
  const rows = operations.map(({ id, method, path, auth, status, emits = [] }: Operation) => {
    const events = emits.map((event) => `\`${event}\``).join(', ')
    return `| \`${id}\` | \`${method} ${path}\` | ${credentialOf(auth)} | ${status} | ${events || '–'} |`
  })
  return table(['operation', 'request', 'credential', 'status', 'events'], rows)
}

function credentialOf(auth: OperationAuth): string {
  if (auth.kind === 'none') return 'none'
  if (auth.kind === 'session') return `session, ${auth.role} or above`
  if (auth.kind === 'credential') return 'any credential'
  if (auth.kind === 'widgetSession') return 'session of a visitor'
  if (auth.kind === 'anyOf') return `one of ${codes(auth.permissions, ' or ')}`
  const needed = codes([auth.permission, ...(auth.also ?? [])], ' and ')
  return auth.role === undefined ? needed : `session, ${auth.role} or above, or a key with ${needed}`
}

function codes(names: readonly string[], separator: string): string {
  return names.map((name) => `\`${name}\``).join(separator)
}

function table(head: readonly string[], rows: readonly string[]): string {
  return [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...rows].join('\n')
}
