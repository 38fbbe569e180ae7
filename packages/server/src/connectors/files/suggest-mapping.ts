import { type HeaderTargets, headerTargets, normalizeText } from '@crmkit/core'

/** Words of headers, folded, for each target. */
const words: Readonly<Record<string, readonly string[]>> = {
  id: ['id', 'recordid', 'nr', 'nummer'],
  firstName: ['firstname', 'givenname', 'vorname', 'prenom', 'nombre'],
  lastName: [
    'lastname',
    'surname',
    'familyname',
    'nachname',
    'name',
    'fullname',
    'nomdefamille',
    'apellidos',
    'familienname',
  ],
  email: ['email', 'emailaddress', 'mail', 'emailadresse', 'correo', 'courriel'],
  secondaryEmail: ['secondaryemail', 'email2', 'otheremail', 'alternateemail', 'zweiteemail'],
  phone: [
    'phone',
    'phonenumber',
    'telephone',
    'tel',
    'mobile',
    'mobilephone',
    'telefon',
    'telefonnummer',
    'handy',
    'telefono',
  ],
  company: [
    'company',
    'companyname',
    'account',
    'accountname',
    'organization',
    'organisation',
    'firma',
    'unternehmen',
    'societe',
    'empresa',
  ],
  jobTitle: ['jobtitle', 'title', 'position', 'role', 'beruf', 'funktion'],
  tags: ['tags', 'tag', 'labels', 'schlagworte'],
  createdAt: [
    'createdat',
    'createdtime',
    'created',
    'createdate',
    'datecreated',
    'erstelltam',
    'angelegtam',
    'erstellt',
  ],
  subject: ['subject', 'dealname', 'ticketname', 'betreff', 'thema', 'topic', 'name', 'title'],
  stage: ['stage', 'dealstage', 'phase'],
  status: ['status', 'state', 'ticketstatus'],
  priority: ['priority', 'prioritat', 'prioritaet', 'dringlichkeit'],
  channel: ['channel', 'origin', 'caseorigin', 'source', 'kanal'],
  description: ['description', 'beschreibung', 'details', 'body'],
  customerId: ['customerid', 'contactid', 'kundenid', 'kontaktid', 'kundennummer', 'customernumber', 'whoid'],
  title: ['title', 'notetitle', 'titel', 'subject', 'betreff'],
  content: ['content', 'note', 'notecontent', 'text', 'body', 'notiz', 'inhalt'],
  parentModule: ['parentmodule', 'parenttype'],
  parentId: ['parentid', 'relatedto', 'contactid', 'leadid', 'dealid', 'caseid', 'ticketid'],
  callType: ['calltype', 'type', 'direction', 'richtung', 'anrufart'],
  startedAt: ['startedat', 'starttime', 'callstarttime', 'date', 'time', 'beginn', 'datum'],
  durationSeconds: ['durationseconds', 'duration', 'durationinseconds', 'dauer'],
}

/** No name of a field is longer. */
const headerLengthMax = 128

function foldHeader(header: string): string {
  return normalizeText(header.slice(0, headerLengthMax), 'NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}

/** Words for the id of a record by its module: in a file of another module they name the record that it belongs to. */
const idWords: Readonly<Record<string, readonly string[]>> = {
  Contacts: ['contactid', 'customerid', 'kundennummer', 'customernumber'],
  Leads: ['leadid'],
  Deals: ['dealid', 'dealnumber'],
  Cases: ['caseid', 'casenumber', 'ticketid', 'ticketnumber', 'ticketnummer'],
  Notes: ['noteid'],
  Calls: ['callid'],
}

/** Returns the module whose records a header names by their id; undefined when it says nothing. */
export function moduleOfIds(header: string): string | undefined {
  const folded = foldHeader(header)
  return Object.keys(idWords).find((module) => idWords[module]?.includes(folded))
}

/** Notes and calls have no custom fields. */
export function hasCustomFields(module: string): boolean {
  return module !== 'Notes' && module !== 'Calls'
}

export interface ColumnTarget {
  /** Null: the column goes nowhere. */
  target: string | null
  /** Whether a person decided it. */
  isChosen: boolean
}

/**
 * Gives each column its target when it is first met: the one that a person chose, else the one that its words suggest, else a
 * custom field of its name.
 */
export class ColumnTargets {
  readonly #module: string
  readonly #chosen: ReadonlyMap<string, string | null>
  readonly #claimed: ReadonlySet<string | null>
  readonly #suggested = new Set<string>()
  readonly #known = new Map<string, ColumnTarget>()

  constructor(module: string, chosen: Readonly<Record<string, string | null>> = {}) {
    this.#module = module
    this.#chosen = new Map(Object.entries(chosen))
    this.#claimed = new Set(this.#chosen.values())
  }

  of(name: string): ColumnTarget {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const suggested = this.#suggest(name)
    const chosen = this.#chosen.get(name)
    const target = {
      target: chosen === undefined ? suggested : chosen,
      isChosen: chosen !== undefined,
    }
    this.#known.set(name, target)
    return target
  }

  #suggest(name: string): string | null {
    const folded = foldHeader(name)
    const isFree = (target: string) => !this.#suggested.has(target) && this.#hasWord(target, folded)
    const found = headerTargets[this.#module]?.find(isFree)
    if (found !== undefined) this.#suggested.add(found)
    if (found !== undefined && !this.#claimed.has(found)) return found
    return hasCustomFields(this.#module) ? customTargetOf(name) : null
  }

  #hasWord(target: string, folded: string): boolean {
    const isOwnId = target === 'id' && idWords[this.#module]?.includes(folded)
    return isOwnId || words[target]?.includes(folded) === true
  }
}

function customTargetOf(name: string): string {
  return `customFields.${name}`
}

/** Returns the target of each column: the one that a person chose, else the suggested one. */
export function mappingOf(
  module: string,
  names: readonly string[],
  chosen: Readonly<Record<string, string | null>> = {},
): HeaderTargets {
  const targets = new ColumnTargets(module, chosen)
  return Object.fromEntries(names.map((name) => [name, targets.of(name).target]))
}
