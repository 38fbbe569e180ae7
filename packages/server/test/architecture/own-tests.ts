import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Operation } from '@crmkit/core'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

export interface TestFile {
  readonly name: string
  readonly text: string
}

/** Suites that are generated from the operations prove nothing about what a single one does. */
const generated =
  /\/(isolation|architecture|fuzz)\/|\/(every-[a-z]+|specification|api-docs|order-of-checks)\.test\.ts$/

/** Returns the tests of the service that somebody wrote for a feature. */
export function readOwnTests(): TestFile[] {
  const names = globSync('packages/server/{src/features,test}/**/*.test.ts', { cwd: root }).sort()
  const own = names.filter((name) => !generated.test(`/${name}`))
  return own.map((name) => ({ name, text: readFileSync(root + name, 'utf8') }))
}

/** The parts of a path that a test has to name: all but the ids, which the test gets from responses. */
function literalParts(path: string): string[] {
  const [base = '', ...rest] = path.split(/\/\{\w+\}/)
  return [base, ...rest.filter((part) => part !== '')]
}

function calls({ method, path }: Pick<Operation, 'method' | 'path'>, text: string): boolean {
  const [base = '', ...rest] = literalParts(path)
  const isNamed = text.includes(base) && rest.every((part) => text.includes(part))
  return isNamed && (method === 'GET' || new RegExp(`\\b${method}\\b`).test(text))
}

export interface OwnTests {
  readonly tests: readonly TestFile[]
  /** The functions that handle operations, by the operation: a test beside a feature may call one itself. */
  readonly handlers: Readonly<Record<string, { readonly name: string } | undefined>>
}

/** Returns the operations that only generated tests call, each with the file to write. */
export function untestedOperations(
  operations: readonly Operation[],
  { tests, handlers }: OwnTests,
): string[] {
  return operations.flatMap((operation) => {
    const { id, method, path } = operation
    const handler = handlers[id]?.name || 'no handler'
    if (tests.some(({ text }) => calls(operation, text) || text.includes(handler))) return []
    const [area = ''] = id.split('.')
    const file = area.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return [
      `${id} has no test of its own: call ${method} ${path} in packages/server/test/http/${file}.test.ts and say in its title what it does`,
    ]
  })
}
