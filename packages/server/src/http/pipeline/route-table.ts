import type { AnyOperation, Method } from '@crmkit/core'

export interface RouteMatch {
  operations: ReadonlyMap<string, AnyOperation>
  params: Record<string, string>
  /** Reached by a path without version that has a versioned one. */
  isLegacy: boolean
  /** The canonical path, with its ids as they were sent. */
  path: string
}

interface Node {
  literals: Map<string, Node>
  parameter: { name: string; node: Node } | undefined
  operations: Map<Method, AnyOperation>
}

const apiPrefix = '/api/'
const versionPrefix = '/api/v1/'
/** Canonical without a version, and reachable with one too. Source: contract 3. */
const unversionedAuth = '/api/auth/'
const versionedAuth = '/api/v1/auth/'

/** One tree of path segments for the whole API: a look-up costs the same for the first and the last operation. */
export function createRouteTable(
  operations: readonly AnyOperation[],
): (path: string) => RouteMatch | undefined {
  const root = newNode()
  for (const operation of operations) insert(root, operation)
  return (requestPath) => {
    const path = requestPath.startsWith(versionedAuth)
      ? unversionedAuth + requestPath.slice(versionedAuth.length)
      : requestPath
    const found = find(root, path)
    if (found) return { ...found, path, isLegacy: false }
    if (!path.startsWith(apiPrefix) || path.startsWith(versionPrefix)) return undefined
    const versioned = versionPrefix + path.slice(apiPrefix.length)
    const legacy = find(root, versioned)
    return legacy && { ...legacy, path: versioned, isLegacy: true }
  }
}

function newNode(): Node {
  return { literals: new Map(), parameter: undefined, operations: new Map() }
}

function insert(root: Node, operation: AnyOperation): void {
  let node = root
  for (const segment of operation.path.slice(1).split('/')) {
    node = segment.startsWith('{') ? parameterOf(node, segment.slice(1, -1)) : literalOf(node, segment)
  }
  if (node.operations.has(operation.method))
    throw new Error(`${operation.id} is declared on a path that is taken`)
  node.operations.set(operation.method, operation)
}

function literalOf(node: Node, segment: string): Node {
  const next = node.literals.get(segment) ?? newNode()
  node.literals.set(segment, next)
  return next
}

function parameterOf(node: Node, name: string): Node {
  node.parameter ??= { name, node: newNode() }
  if (node.parameter.name !== name)
    throw new Error(`One path segment has two names: ${node.parameter.name}, ${name}`)
  return node.parameter.node
}

function find(
  root: Node,
  path: string,
): { operations: Node['operations']; params: Record<string, string> } | undefined {
  const params: Record<string, string> = {}
  let node = root
  for (const segment of path.slice(1).split('/')) {
    const literal = node.literals.get(segment)
    if (literal) {
      node = literal
      continue
    }
    const value = segment === '' ? undefined : decodeSegment(segment)
    if (node.parameter === undefined || value === undefined) return undefined
    params[node.parameter.name] = value
    node = node.parameter.node
  }
  return node.operations.size > 0 ? { operations: node.operations, params } : undefined
}

function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
