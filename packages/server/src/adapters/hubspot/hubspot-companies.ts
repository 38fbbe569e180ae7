import { SourceFailure } from '../../ports/connector.ts'
import type { HubspotClient } from './hubspot-client.ts'
import { afterOf, resultsOf } from './hubspot-replies.ts'
import { apiVersion, type Json } from './hubspot-tokens.ts'

const namesMax = 20_000
const idsPerRequest = 100
/** The type of the link to the primary company, in HubSpot's table of association types. */
const primaryTypeId = 1

interface Choice {
  readonly id: string
  readonly isPrimary: boolean
}

/** The names of the companies that contacts are linked to. */
export class ContactCompanies {
  readonly #client: HubspotClient
  readonly #names = new Map<string, string | null>()
  #isForbidden = false

  constructor(client: HubspotClient) {
    this.#client = client
  }

  /** Returns the name of each contact's primary company, else of the one with the lowest id, by the id of the contact. */
  async of(contactIds: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    if (contactIds.length === 0 || this.#isForbidden) return new Map()
    try {
      const chosen = await this.#readLinks(contactIds, signal)
      await this.#readNames([...new Set([...chosen.values()].map(({ id }) => id))], signal)
      return new Map(
        [...chosen].flatMap(([contact, { id }]) => {
          const name = this.#names.get(id)
          return name ? [[contact, name] as const] : []
        }),
      )
    } catch (error) {
      if (!(error instanceof SourceFailure) || error.kind !== 'forbidden') throw error
      // Without the scope the contact's own text is what is known.
      this.#isForbidden = true
      return new Map()
    }
  }

  async #readLinks(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Choice>> {
    const path = `/crm/associations/${apiVersion}/contacts/companies/batch/read`
    const chosen = new Map<string, Choice>()
    let inputs: { id: string; after?: string }[] = ids.map((id) => ({ id }))
    while (inputs.length > 0) {
      const results = resultsOf(await this.#client.send({ path, body: { inputs }, signal }))
      inputs = []
      for (const result of results) {
        const from = String((result['from'] as Json | undefined)?.['id'])
        for (const to of (result['to'] as readonly Json[] | undefined) ?? [])
          if (/^\d+$/.test(String(to['toObjectId']))) chosen.set(from, better(chosen.get(from), choiceOf(to)))
        const after = afterOf(result)
        if (after !== null) inputs.push({ id: from, after })
      }
    }
    return chosen
  }

  async #readNames(ids: readonly string[], signal: AbortSignal): Promise<void> {
    if (this.#names.size > namesMax) this.#names.clear()
    const unknown = ids.filter((id) => !this.#names.has(id))
    for (let start = 0; start < unknown.length; start += idsPerRequest) {
      const some = unknown.slice(start, start + idsPerRequest)
      const body = { inputs: some.map((id) => ({ id })), properties: ['name'], propertiesWithHistory: [] }
      const path = `/crm/objects/${apiVersion}/companies/batch/read`
      const rows = resultsOf(await this.#client.send({ path, body, signal }))
      for (const id of some) this.#names.set(id, null)
      for (const row of rows) {
        const name = (row['properties'] as Json | undefined)?.['name']
        this.#names.set(String(row['id']), typeof name === 'string' && name !== '' ? name : null)
      }
    }
  }
}

function choiceOf({ toObjectId, associationTypes }: Json): Choice {
  const types = (associationTypes as readonly Json[] | undefined) ?? []
  const isPrimary = types.some(
    ({ category, typeId }) => category === 'HUBSPOT_DEFINED' && typeId === primaryTypeId,
  )
  return { id: String(toObjectId), isPrimary }
}

/** HubSpot promises no order, and a contact must have the same company each time it is read. */
function better(known: Choice | undefined, other: Choice): Choice {
  if (known === undefined) return other
  if (known.isPrimary !== other.isPrimary) return known.isPrimary ? known : other
  return BigInt(other.id) < BigInt(known.id) ? other : known
}
