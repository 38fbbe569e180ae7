import type { SourceLink, SourceModule } from '../../ports/connector.ts'
import type { HubspotClient } from './hubspot-client.ts'
import { type Links, objectTypes } from './hubspot-mapping.ts'
import { apiVersion, type Json } from './hubspot-tokens.ts'

/** The modules whose records a module refers to, the closest parent first. */
const parentModules: Readonly<Partial<Record<SourceModule, readonly SourceModule[]>>> = {
  Notes: ['Cases', 'Deals', 'Contacts'],
  Calls: ['Cases', 'Deals'],
  Events: ['Cases', 'Deals'],
  Tasks: ['Cases', 'Deals'],
}
const modulesWithPerson: readonly SourceModule[] = ['Deals', 'Cases', 'Calls', 'Events', 'Tasks']
const noLinks: Links = { person: null, parent: null }

function linkedModules(module: SourceModule): readonly SourceModule[] {
  const parents = parentModules[module] ?? []
  const people: readonly SourceModule[] = modulesWithPerson.includes(module) ? ['Contacts'] : []
  return [...new Set([...people, ...parents])]
}

/** The object types to ask for with a list of this module. */
export function linkedTypes(module: SourceModule): string[] {
  return linkedModules(module).flatMap((linked) => objectTypes[linked] ?? [])
}

/** Returns the first linked id of each module. */
type FirstIds = Readonly<Partial<Record<SourceModule, string>>>

function linksOf(module: SourceModule, ids: FirstIds): Links {
  const link = (of: SourceModule): SourceLink[] => {
    const id = ids[of]
    return id === undefined ? [] : [{ module: of, id }]
  }
  const [parent = null] = (parentModules[module] ?? []).flatMap(link)
  const [person = null] = modulesWithPerson.includes(module) ? link('Contacts') : []
  return { person, parent }
}

/** The links that a list sends with each object. */
export function listedLinks(module: SourceModule, given: Json): Links {
  const associations = (given['associations'] ?? {}) as Readonly<Record<string, Json | undefined>>
  const ids = linkedModules(module).flatMap((linked): [SourceModule, string][] => {
    const results = associations[objectTypes[linked] ?? '']?.['results'] as readonly Json[] | undefined
    const [first] = results ?? []
    return first === undefined ? [] : [[linked, String(first['id'])]]
  })
  return linksOf(module, Object.fromEntries(ids))
}

interface LinkRequest {
  readonly client: HubspotClient
  readonly module: SourceModule
  readonly ids: readonly string[]
  readonly signal: AbortSignal
}

/** Reads the links of objects that came without them: a search sends none. */
export async function readLinks({
  client,
  module,
  ids,
  signal,
}: LinkRequest): Promise<(id: string) => Links> {
  const found = new Map<string, Partial<Record<SourceModule, string>>>()
  for (const linked of ids.length === 0 ? [] : linkedModules(module)) {
    const { json } = await client.send({
      path: `/crm/associations/${apiVersion}/${objectTypes[module]}/${objectTypes[linked]}/batch/read`,
      body: { inputs: ids.map((id) => ({ id })) },
      signal,
    })
    for (const result of (json['results'] as readonly Json[] | undefined) ?? []) {
      const id = String((result['from'] as Json | undefined)?.['id'])
      const [first] = (result['to'] as readonly Json[] | undefined) ?? []
      if (first !== undefined) found.set(id, { ...found.get(id), [linked]: String(first['toObjectId']) })
    }
  }
  return (id) => {
    const ids = found.get(id)
    return ids === undefined ? noLinks : linksOf(module, ids)
  }
}
