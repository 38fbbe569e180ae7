import { SourceFailure } from '../../ports/connector.ts'
import type { HubspotClient, HubspotRequest } from './hubspot-client.ts'
import { afterOf, remembered, resultsOf } from './hubspot-replies.ts'
import { apiVersion, type Json } from './hubspot-tokens.ts'

const ownersPerPage = 100

/** The words of a portal: they stand for the ids and the internal names in its properties. */
export interface Vocabulary {
  /** Stages that are closed, by their id. */
  readonly closedStages: ReadonlySet<string>
  /** Returns the words of a value: the label of an option, the name of a stage, of a pipeline or of an owner. */
  wordsOf(property: string, value: string): string
  /** Returns the name of an owner; null for one that this connection cannot see. */
  ownerOf(id: string | null): string | null
}

interface Stages {
  readonly closed: ReadonlySet<string>
  /** Names of pipelines and stages, by their id. */
  readonly names: ReadonlyMap<string, string>
}

const noStages: Stages = { closed: new Set(), names: new Map() }
const stageProperties = new Set(['dealstage', 'hs_pipeline_stage', 'pipeline', 'hs_pipeline'])

/** Reads the words of a portal: its pipelines, and its owners. Each is read once for a connection. */
export class PortalWords {
  readonly #client: HubspotClient
  readonly #stages = new Map<string, Promise<Stages>>()
  readonly #owners = new Map<string, Promise<ReadonlyMap<string, string>>>()

  constructor(client: HubspotClient) {
    this.#client = client
  }

  async read(type: string, described: readonly Json[], signal: AbortSignal): Promise<Vocabulary> {
    const hasStages = type === 'deals' || type === 'tickets'
    const { closed, names } = hasStages ? await this.#readStages(type, signal) : noStages
    const owners = await this.owners(signal)
    const options = new Map(described.map((property) => [String(property['name']), optionsOf(property)]))
    const ofOwners = new Set(described.filter(isOwner).map((property) => String(property['name'])))
    const wordOf = (property: string, value: string) => {
      if (ofOwners.has(property)) return owners.get(value) ?? value
      if (stageProperties.has(property)) return names.get(value) ?? value
      return options.get(property)?.get(value) ?? value
    }
    return {
      closedStages: closed,
      ownerOf: (id) => (id === null ? null : (owners.get(id) ?? null)),
      // Several options of one property are separated by semicolons.
      wordsOf: (property, value) =>
        (options.get(property)?.size ?? 0) > 0 && value.includes(';')
          ? value
              .split(';')
              .map((word) => wordOf(property, word))
              .join('; ')
          : wordOf(property, value),
    }
  }

  /** Returns the names of owners by their id, and by `user:` and the id of their user. */
  owners(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    return remembered(this.#owners, 'owners', async () => {
      const names = new Map<string, string>()
      // An owner who has left owned records too.
      for (const archived of ['true', 'false']) {
        for await (const owner of this.#list(`/crm/owners/${apiVersion}`, { archived }, signal)) {
          const name = nameOfOwner(owner)
          if (name === null) continue
          names.set(String(owner['id']), name)
          const user = owner['userId'] ?? owner['userIdIncludingInactive']
          if (user !== undefined && user !== null) names.set(`user:${user}`, name)
        }
      }
      return names
    })
  }

  async *#list(
    path: string,
    query: NonNullable<HubspotRequest['query']>,
    signal: AbortSignal,
  ): AsyncGenerator<Json> {
    let after: string | null = null
    do {
      const asked = { ...query, limit: ownersPerPage, after }
      const response = await this.#client.send({ path, query: asked, signal }).catch((error: unknown) => {
        // Without the scope the ids of owners stay as they are.
        if (error instanceof SourceFailure && error.kind === 'forbidden') return null
        throw error
      })
      if (response === null) return
      yield* resultsOf(response)
      after = afterOf(response.json)
    } while (after !== null)
  }

  #readStages(type: string, signal: AbortSignal): Promise<Stages> {
    return remembered(this.#stages, type, async () => {
      const response = await this.#client.send({ path: `/crm/pipelines/${apiVersion}/${type}`, signal })
      const pipelines = resultsOf(response)
      const stages = pipelines.flatMap((pipeline) => (pipeline['stages'] as readonly Json[]) ?? [])
      const named = [...pipelines, ...stages].map((one) => [String(one['id']), String(one['label'])] as const)
      return {
        closed: new Set(stages.filter(isClosed).map((stage) => String(stage['id']))),
        names: new Map(named),
      }
    })
  }
}

/**
 * The document of the pipelines (2026-03) names `ticketState` for tickets, and `probability` for deals: a deal that is won has 1.0, one
 * that is lost 0.0. `isClosed` is sent beside it, and stands in no document.
 */
function isClosed(stage: Json): boolean {
  const { isClosed, ticketState, probability } = (stage['metadata'] ?? {}) as Readonly<
    Record<string, unknown>
  >
  if (ticketState !== undefined) return ticketState === 'CLOSED'
  if (isClosed !== undefined) return String(isClosed) === 'true'
  return typeof probability === 'string' && probability !== '' && [0, 1].includes(Number(probability))
}

const isOwner = (property: Json) =>
  property['referencedObjectType'] === 'OWNER' || property['name'] === 'hubspot_owner_id'

function optionsOf(property: Json): ReadonlyMap<string, string> {
  const options = (property['options'] as readonly Json[] | undefined) ?? []
  return new Map(options.map((option) => [String(option['value']), String(option['label'])]))
}

function nameOfOwner(owner: Json): string | null {
  const parts = [owner['firstName'], owner['lastName']].filter(
    (part) => typeof part === 'string' && part !== '',
  )
  if (parts.length > 0) return parts.join(' ')
  return typeof owner['email'] === 'string' && owner['email'] !== '' ? owner['email'] : null
}
