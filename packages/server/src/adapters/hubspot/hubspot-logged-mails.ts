import { SourceFailure, type SourceLink } from '../../ports/connector.ts'
import type { HubspotClient } from './hubspot-client.ts'
import { afterOf, resultsOf } from './hubspot-replies.ts'
import { apiVersion, type Json } from './hubspot-tokens.ts'

const types: Readonly<Record<string, string>> = { Cases: 'tickets', Contacts: 'contacts' }
const mailProperties = ['hs_email_direction', 'hs_email_text', 'hs_email_html', 'hs_timestamp']
const mailsPerRequest = 100
const rememberedMax = 50
/** Characters that are compared: a logged mail may quote what a thread shows without its quotations. */
const comparedMax = 200
const nearMs = 10 * 60_000

export interface LoggedMail {
  readonly text: string
  readonly isInbound: boolean
  readonly atMs: number
}

/**
 * The e-mails that are logged beside a thread. HubSpot may show one mail twice, as an e-mail of the ticket and as a message of its thread,
 * and no document says when: a message is left out when the ticket has an e-mail of the same direction and time that begins with the same
 * words.
 */
export class LoggedMails {
  readonly #client: HubspotClient
  readonly #signal: AbortSignal
  readonly #known = new Map<string, Promise<readonly LoggedMail[]>>()

  constructor({ client, signal }: { client: HubspotClient; signal: AbortSignal }) {
    this.#client = client
    this.#signal = signal
  }

  async has(parent: SourceLink, mail: LoggedMail): Promise<boolean> {
    const key = `${parent.module} ${parent.id}`
    if (this.#known.size > rememberedMax && !this.#known.has(key)) this.#known.clear()
    const reading = this.#known.get(key) ?? this.#read(parent)
    this.#known.set(key, reading)
    try {
      return (await reading).some((other) => isSameMail(other, mail))
    } catch (error) {
      this.#known.delete(key)
      throw error
    }
  }

  async #read({ module, id }: SourceLink): Promise<readonly LoggedMail[]> {
    try {
      const ids = await this.#readIds(types[module] ?? '', id)
      const mails: LoggedMail[] = []
      for (let start = 0; start < ids.length; start += mailsPerRequest) {
        const inputs = ids.slice(start, start + mailsPerRequest).map((one) => ({ id: one }))
        const body = { inputs, properties: mailProperties, propertiesWithHistory: [] }
        const path = `/crm/objects/${apiVersion}/emails/batch/read`
        const rows = resultsOf(await this.#client.send({ path, body, signal: this.#signal }))
        mails.push(...rows.map(mailOf))
      }
      return mails
    } catch (error) {
      // A connection that may not read e-mails has none of them here either.
      if (error instanceof SourceFailure && error.kind === 'forbidden') return []
      throw error
    }
  }

  async #readIds(type: string, id: string): Promise<string[]> {
    const path = `/crm/associations/${apiVersion}/${type}/emails/batch/read`
    const ids: string[] = []
    let after: string | null | undefined
    do {
      const inputs = [{ id, ...(after && { after }) }]
      const [result] = resultsOf(await this.#client.send({ path, body: { inputs }, signal: this.#signal }))
      for (const { toObjectId } of (result?.['to'] as readonly Json[] | undefined) ?? [])
        ids.push(String(toObjectId))
      after = afterOf(result)
    } while (after !== null)
    return ids
  }
}

function mailOf({ properties }: Json): LoggedMail {
  const values = (properties ?? {}) as Json
  return {
    text: String(values['hs_email_text'] ?? values['hs_email_html'] ?? ''),
    isInbound: values['hs_email_direction'] === 'INCOMING_EMAIL',
    atMs: Date.parse(String(values['hs_timestamp'])),
  }
}

/** Returns whether two texts are one mail: the shorter one is the beginning of the other. */
export function isSameMail(one: LoggedMail, other: LoggedMail): boolean {
  if (one.isInbound !== other.isInbound || !(Math.abs(one.atMs - other.atMs) <= nearMs)) return false
  const [short = '', long = ''] = [foldText(one.text), foldText(other.text)].sort(
    (a, b) => a.length - b.length,
  )
  return short !== '' && long.startsWith(short)
}

/** Returns the letters and digits of the beginning of a text or of HTML. */
function foldText(text: string): string {
  // bounded: the cut, and no two parts of the pattern can match one character.
  const bare = text.slice(0, 20_000).replaceAll(/<[^<>]*>|&[a-z]{2,8};/gi, ' ')
  return bare
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
    .slice(0, comparedMax)
}
