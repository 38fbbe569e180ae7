import type { SourceLink, SourceModule } from '../../ports/connector.ts'
import type { HubspotClient } from './hubspot-client.ts'
import { type Links, objectTypes } from './hubspot-mapping.ts'
import { afterOf } from './hubspot-replies.ts'
import { apiVersion, type Json } from './hubspot-tokens.ts'

/** The modules whose records a module refers to, the closest parent first. */
const parentModules: Readonly<Partial<Record<SourceModule, readonly SourceModule[]>>> = {
  Notes: ['Cases', 'Deals', 'Contacts'],
  Calls: ['Cases', 'Deals'],
  Events: ['Cases', 'Deals'],
  Tasks: ['Cases', 'Deals'],
  Emails: ['Cases', 'Deals', 'Contacts'],
}
const modulesWithPerson: readonly SourceModule[] = ['Deals', 'Cases', 'Calls', 'Events', 'Tasks']

function linkedModules(module: SourceModule): readonly SourceModule[] {
  const parents = parentModules[module] ?? []
  const people: readonly SourceModule[] = modulesWithPerson.includes(module) ? ['Contacts'] : []
  return [...new Set([...people, ...parents])]
}

/** The object types to ask for with a list of this module. */
export function linkedTypes(module: SourceModule): string[] {
  return linkedModules(module).flatMap((linked) => objectTypes[linked] ?? [])
}

/**
 * Of several links to a module the lowest id counts: HubSpot promises no order, and a record must have the same parent
 * each time it is read.
 */
type LowestIds = Partial<Record<SourceModule, string>>

function addLink(ids: LowestIds, module: SourceModule, id: string): void {
  if (!/^\d+$/.test(id)) return
  const lowest = ids[module]
  if (lowest === undefined || BigInt(id) < BigInt(lowest)) ids[module] = id
}

function linksOf(module: SourceModule, ids: LowestIds): Links {
  const link = (of: SourceModule): SourceLink[] => {
    const id = ids[of]
    return id === undefined ? [] : [{ module: of, id }]
  }
  const [parent = null] = (parentModules[module] ?? []).flatMap(link)
  const [person = null] = modulesWithPerson.includes(module) ? link('Contacts') : []
  return { person, parent }
}

/** The links that a list sends with each object; undefined when there are more of them than it sent. */
export function listedLinks(module: SourceModule, given: Json): Links | undefined {
  const associations = (given['associations'] ?? {}) as Readonly<Record<string, Json | undefined>>
  const ids: LowestIds = {}
  for (const linked of linkedModules(module)) {
    const listed = associations[objectTypes[linked] ?? '']
    if (afterOf(listed) !== null) return undefined
    for (const { id } of (listed?.['results'] as readonly Json[] | undefined) ?? [])
      addLink(ids, linked, String(id))
  }
  return linksOf(module, ids)
}

interface LinkRequest {
  readonly client: HubspotClient
  readonly module: SourceModule
  readonly ids: readonly string[]
  readonly signal: AbortSignal
}

interface PageRequest extends Omit<LinkRequest, 'ids'> {
  readonly linked: SourceModule
  readonly inputs: readonly { readonly id: string; readonly after?: string }[]
}

/** Reads the links of objects that came without all of them: a search sends none, a list at most 100 of an object. */
export async function readLinks(request: LinkRequest): Promise<(id: string) => Links> {
  const { module, ids } = request
  const found = new Map(ids.map((id): [string, LowestIds] => [id, {}]))
  for (const linked of ids.length === 0 ? [] : linkedModules(module)) {
    let inputs: PageRequest['inputs'] = ids.map((id) => ({ id }))
    while (inputs.length > 0) {
      const results = await readLinksPage({ ...request, linked, inputs })
      for (const result of results) addLinks(found.get(fromIdOf(result)), linked, result)
      inputs = results.flatMap((result) => {
        const after = afterOf(result)
        return after === null ? [] : [{ id: fromIdOf(result), after }]
      })
    }
  }
  return (id) => linksOf(module, found.get(id) ?? {})
}

function addLinks(ids: LowestIds | undefined, linked: SourceModule, result: Json): void {
  if (ids === undefined) return
  for (const { toObjectId } of (result['to'] as readonly Json[] | undefined) ?? [])
    addLink(ids, linked, String(toObjectId))
}

const fromIdOf = (result: Json) => String((result['from'] as Json | undefined)?.['id'])

async function readLinksPage({
  client,
  module,
  linked,
  inputs,
  signal,
}: PageRequest): Promise<readonly Json[]> {
  const { json } = await client.send({
    path: `/crm/associations/${apiVersion}/${objectTypes[module]}/${objectTypes[linked]}/batch/read`,
    body: { inputs },
    signal,
  })
  return (json['results'] as readonly Json[] | undefined) ?? []
}
