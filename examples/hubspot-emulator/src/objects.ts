export type Properties = Record<string, string | null>

export const objectTypes = [
  'contacts',
  'companies',
  'deals',
  'tickets',
  'notes',
  'calls',
  'tasks',
  'meetings',
  'emails',
] as const
export type ObjectType = (typeof objectTypes)[number]

/** How the objects of each type are made from their number. */
const makers: Readonly<Record<ObjectType, (index: number) => Properties>> = {
  contacts: (index) => ({
    firstname: 'Ada',
    lastname: `Foller ${index}`,
    email: `contact${index}@example.com`,
    hs_additional_emails: index % 10 === 0 ? `contact${index}.alt@example.com` : null,
    phone: `+1555${String(index).padStart(7, '0')}`,
    jobtitle: 'Nurse',
    company: `Company ${index}`,
    city: 'Dublin',
    hs_lead_status: index % 2 === 0 ? 'OPEN_DEAL' : null,
    hubspot_owner_id: '91',
  }),
  companies: (index) => ({ name: `Company ${index}` }),
  deals: (index) => ({
    dealname: `Deal ${index}`,
    amount: String(100 + index),
    dealstage: index % 2 === 0 ? 'stage_open' : 'stage_won',
    pipeline: 'default',
  }),
  tickets: (index) => ({
    subject: `Ticket ${index}`,
    content: `The printer ${index} is stuck`,
    hs_pipeline: '0',
    hs_pipeline_stage: index % 2 === 0 ? '1' : '4',
    hs_ticket_priority: 'HIGH',
    source_type: ['EMAIL', 'CHAT', 'FORM', 'PHONE'][index % 4] as string,
    closed_date: index % 2 === 0 ? null : '2026-02-01T00:00:00Z',
    hubspot_owner_id: '91',
  }),
  notes: (index) => ({
    hs_note_body: `<p>Note ${index}</p>`,
    hs_timestamp: '2026-05-14T09:00:00Z',
    hubspot_owner_id: '91',
  }),
  calls: (index) => ({
    hs_call_title: `Call ${index}`,
    hs_call_body: `<p>Called about <b>printer</b> ${index}</p>`,
    hs_call_direction: 'OUTBOUND',
    hs_call_duration: '15000',
    hs_call_status: 'COMPLETED',
    hs_call_from_number: '+15550000001',
    hs_call_to_number: '+15550000002',
    hs_timestamp: '2026-05-14T09:00:00Z',
  }),
  tasks: (index) => ({ hs_task_subject: `Task ${index}`, hs_timestamp: '2026-05-14T09:00:00Z' }),
  meetings: (index) => ({
    hs_meeting_title: `Meeting ${index}`,
    hs_meeting_start_time: '2026-05-14T09:00:00Z',
  }),
  emails: (index) => {
    const isInbound = index % 2 === 0
    return {
      hs_email_subject: `Mail ${index}`,
      hs_email_text: isInbound ? `Mail ${index}: it is stuck again` : null,
      hs_email_html: `<p>Mail ${index}: <b>it is stuck again</b></p>`,
      hs_email_direction: isInbound ? 'INCOMING_EMAIL' : 'EMAIL',
      hs_email_status: 'SENT',
      hs_email_from_email: isInbound ? `contact${index}@example.com` : 'mia@example.com',
      hs_email_from_firstname: isInbound ? 'Ada' : null,
      hs_email_from_lastname: isInbound ? `Foller ${index}` : null,
      hs_timestamp: new Date(mailMs(index)).toISOString(),
      hubspot_owner_id: '91',
    }
  },
}

/** The mails are a day apart. */
export const mailMs = (index: number) => Date.parse('2026-01-10T08:00:00Z') + index * 86_400_000

export interface StoredObject {
  id: string
  properties: Properties
  createdMs: number
  updatedMs: number
}

interface Change {
  properties: Properties
  updatedMs: number
}

const firstMs = Date.parse('2026-01-01T00:00:00Z')

/** The objects of one type, made when they are read: memory grows with the changes alone. */
export class ObjectSet {
  readonly #make: (index: number) => Properties
  readonly #count: number
  readonly #changes = new Map<number, Change>()
  readonly archived = new Map<number, number>()
  #created = 0
  #lastMs: number

  constructor(type: ObjectType, count: number) {
    this.#make = makers[type]
    this.#count = count
    this.#lastMs = firstMs + count * 1000
  }

  idOf(index: number): string {
    return String(501 + index)
  }

  #indexOf(id: string): number | undefined {
    const index = Number(id) - 501
    const exists = Number.isInteger(index) && index >= 0 && index < this.#count + this.#created
    return exists && !this.archived.has(index) ? index : undefined
  }

  at(index: number): StoredObject {
    const change = this.#changes.get(index)
    const made = index < this.#count ? this.#make(index) : {}
    const createdMs = firstMs + index * 1000
    const properties = { ...made, ...change?.properties }
    return { id: this.idOf(index), properties, createdMs, updatedMs: change?.updatedMs ?? createdMs }
  }

  find(id: string): StoredObject | undefined {
    const index = this.#indexOf(id)
    return index === undefined ? undefined : this.at(index)
  }

  /** The objects after an id, in the order of their ids. */
  *after(id: string | null): Generator<StoredObject> {
    const first = id === null ? 0 : Number(id) - 500
    for (let index = first; index < this.#count + this.#created; index++) {
      if (!this.archived.has(index)) yield this.at(index)
    }
  }

  #nextMs(): number {
    this.#lastMs = Math.max(this.#lastMs + 1, Date.now())
    return this.#lastMs
  }

  create(properties: Properties): string {
    const index = this.#count + this.#created
    this.#created += 1
    this.#changes.set(index, { properties, updatedMs: this.#nextMs() })
    return this.idOf(index)
  }

  update(id: string, properties: Properties): void {
    const index = this.#indexOf(id)
    if (index === undefined) return
    const before = this.#changes.get(index)?.properties
    this.#changes.set(index, { properties: { ...before, ...properties }, updatedMs: this.#nextMs() })
  }

  archive(id: string): void {
    const index = this.#indexOf(id)
    if (index !== undefined) this.archived.set(index, this.#nextMs())
  }
}
