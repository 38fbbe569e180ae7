import type { AnyOperation, Operation } from '@crmkit/core'

/** An operation's name in the document: programs that make clients of it turn it into the name of a function. */
export function operationIdOf({ id }: Pick<Operation, 'id'>): string {
  return id.replaceAll('.', '_')
}

/**
 * Links from a created resource to the operations on it: every operation on `{path}/{id}…` takes the `_id` of the response.
 * Lets a reader, and a program that walks the document, follow a resource through its life.
 */
export function linksOf({ status, path, method }: Operation, operations: readonly AnyOperation[]) {
  if (status !== 201 || method !== 'POST') return {}
  const next = operations.filter((operation) => operation.path.startsWith(`${path}/{id}`))
  if (next.length === 0) return {}
  const links = next.map((operation) => {
    const operationId = operationIdOf(operation)
    return [operationId, { operationId, parameters: { id: '$response.body#/data/_id' } }]
  })
  return { links: Object.fromEntries(links) }
}
