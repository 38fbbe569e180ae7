import type { Method } from '@crmkit/core'
import type { Access } from '../credentials/access.ts'
import type { Endpoint } from './endpoint.ts'

export interface RouteMatch {
  /** By their methods. */
  endpoints: ReadonlyMap<string, Endpoint>
  /** The access of them all. */
  access: Access
  /** The path of the declaration, such as `/api/v1/customers/{id}`. */
  template: string
  params: Record<string, string>
  /** Reached by a path without version that has a versioned one. */
  isLegacy: boolean
  /** The canonical path, with its ids as they were sent. */
  path: string
}

interface Node {
  literals: Map<string, Node>
  parameter: { name: string; node: Node } | undefined
  /** Undefined for the beginning of a path. */
  target: { endpoints: Map<Method, Endpoint>; access: Access; template: string } | undefined
}

const apiPrefix = '/api/'
const versionPrefix = '/api/v1/'
/** Canonical without a version, and reachable with one too. Source: contract 3. */
const unversionedAuth = '/api/auth/'
const versionedAuth = '/api/v1/auth/'

/** One tree of path segments for the whole API: a look-up costs the same for the first and the last operation. */
export function createRouteTable(endpoints: readonly Endpoint[]): (path: string) => RouteMatch | undefined {
  const root = newNode()
  for (const endpoint of endpoints) insert(root, endpoint)
  return (requestPath) => {
    const path = requestPath.startsWith(versionedAuth)
      ? unversionedAuth + requestPath.slice(versionedAuth.length)
      : requestPath
    const found = find(root, path, false)
    if (found) return found
    if (!path.startsWith(apiPrefix) || path.startsWith(versionPrefix)) return undefined
    const versioned = versionPrefix + path.slice(apiPrefix.length)
    return find(root, versioned, true)
  }
}

function newNode(): Node {
  return { literals: new Map(), parameter: undefined, target: undefined }
}

function insert(root: Node, endpoint: Endpoint): void {
  const { operation, access } = endpoint
  let node = root
  for (const segment of operation.path.slice(1).split('/')) {
    node = segment.startsWith('{') ? parameterOf(node, segment.slice(1, -1)) : literalOf(node, segment)
  }
  node.target ??= { endpoints: new Map(), access, template: operation.path }
  if (node.target.endpoints.has(operation.method))
    throw new Error(`${operation.id} is declared on a path that is taken`)
  // A preflight request names the path alone.
  if (node.target.access !== access) throw new Error(`${operation.path} has two kinds of callers`)
  node.target.endpoints.set(operation.method, endpoint)
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

function find(root: Node, path: string, isLegacy: boolean): RouteMatch | undefined {
  const params: Record<string, string> = {}
  let node = root
  for (let start = 1; start <= path.length; ) {
    const slash = path.indexOf('/', start)
    const end = slash < 0 ? path.length : slash
    const segment = path.slice(start, end)
    start = end + 1
    const literal = node.literals.get(segment)
    if (literal) {
      node = literal
      continue
    }
    // The path of a file has slashes of its own.
    const takesRest = node.parameter?.name === 'path'
    if (takesRest) start = path.length + 1
    const rest = takesRest ? path.slice(end - segment.length) : segment
    const value = segment === '' ? undefined : decodeSegment(rest)
    if (node.parameter === undefined || value === undefined) return undefined
    params[node.parameter.name] = value
    node = node.parameter.node
  }
  const { target } = node
  if (target === undefined) return undefined
  const { endpoints, access, template } = target
  return { endpoints, access, template, params, isLegacy, path }
}

function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
