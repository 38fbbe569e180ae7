import { type HeaderTargets, headerTargets, normalizeText, repeatableTargets } from '@crmkit/core'
import { headerWords, labelWords, recordWords } from './header-words.ts'

/** No name of a field is longer. */
const headerLengthMax = 128

/** Without case, accents, blanks, signs and what stands in brackets behind the name: `Create Date (GMT+1)`. */
function foldHeader(header: string): string {
  const name = normalizeText(header.slice(0, headerLengthMax), 'NFKD').toLowerCase()
  const bare = name.replace(/[([][^()[\]]*[)\]]\s*$/, '')
  const folded = bare.replaceAll(/[^\p{L}\p{N}]/gu, '')
  return folded === '' ? name.replaceAll(/[^\p{L}\p{N}]/gu, '') : folded
}

function foldWords(words: string): string[] {
  return words.split(',').map(foldHeader)
}

/** The place of each folded word in the list of its target. */
const ranks = new Map(
  Object.entries(headerWords).map(([target, words]) => [
    target,
    new Map(foldWords(words).map((word, rank) => [word, rank] as const)),
  ]),
)
const labels = foldWords(labelWords)

/** A header in all forms in which it may be a word: as it is, without the word for the record, without the label behind it. */
function formsOf(module: string, header: string): string[] {
  const whole = foldHeader(header)
  const forms = [whole]
  for (const prefix of foldWords(recordWords[module] ?? '')) {
    let rest = whole
    while (rest.length > prefix.length && rest.startsWith(prefix)) {
      rest = rest.slice(prefix.length)
      forms.push(rest)
    }
  }
  const short = forms.flatMap((form) =>
    labels.flatMap((label) =>
      form.length > label.length && form.endsWith(label) ? [form.slice(0, -label.length)] : [],
    ),
  )
  return [...new Set([...forms, ...short])]
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

/** Behind `ID` and `Record ID`: beside them, a case number is no id. */
const rankOfOwnId = 2.5

function moduleOfFolded(folded: string): string | undefined {
  return Object.keys(idWords).find((module) => idWords[module]?.includes(folded))
}

/** Returns the module whose records a header names by their id; undefined when it says nothing. */
export function moduleOfIds(header: string): string | undefined {
  return moduleOfFolded(foldHeader(header))
}

/** Notes and calls have no custom fields. */
export function hasCustomFields(module: string): boolean {
  return module !== 'Notes' && module !== 'Calls'
}

/** Columns that a file of rejected rows has behind those of the source: they say what was wrong, and go nowhere. */
export const columnsOfRejected = ['import row', 'import code', 'import message'] as const
const isOfRejected = (name: string) => columnsOfRejected.some((column) => column === name)

export interface ColumnTarget {
  /** Null: the column goes nowhere. */
  target: string | null
  /** Whether a person decided it. */
  isChosen: boolean
}

/** Several columns may hold one of these; the first that is filled counts. */
const repeatable: ReadonlySet<string> = new Set(repeatableTargets)

/** A column that is no name of a person where the others say it in parts. */
const nameTargets = ['firstName', 'lastName', 'fullName'] as const

/** The columns of a file, as far as a suggestion looks at them. */
export interface SuggestedFrom {
  headers: readonly string[]
  /** The headers of columns that hold e-mail addresses, whatever they are called. */
  emailColumns?: readonly string[] | undefined
  /** The findings of its survey. */
  survey?: { notIds: readonly string[] } | undefined
}

/** Returns the columns that are called as the id of a record of the module. */
export function idColumnsOf(module: string, headers: readonly string[]): string[] {
  return headers.filter((name) => rankOf(module, 'id', formsOf(module, name)) !== undefined)
}

/** The place of a header in the words of a target; its whole form comes before those without a part. */
function rankOf(module: string, target: string, forms: readonly string[]): number | undefined {
  const words = ranks.get(target)
  const whole = forms[0] ?? ''
  if (target === 'id') {
    const owner = moduleOfFolded(whole)
    if (owner !== undefined) return owner === module ? rankOfOwnId : undefined
  }
  const found = forms.findIndex((form) => words?.has(form))
  const form = forms[found]
  return form === undefined ? undefined : (words?.get(form) ?? 0) + found * 0.1
}

/**
 * Gives each column its target: the one that a person chose, else the one that its words, or its values, suggest, else a custom field of
 * its name. A column of a JSON file that is met later gets a target that is free still.
 */
export class ColumnTargets {
  readonly #module: string
  readonly #chosen: ReadonlyMap<string, string | null>
  readonly #claimed: ReadonlySet<string | null>
  readonly #headers: ReadonlySet<string>
  readonly #notIds: ReadonlySet<string>
  readonly #suggested = new Map<string, string>()
  readonly #known = new Map<string, ColumnTarget>()

  constructor(
    module: string,
    { headers, emailColumns = [], survey }: SuggestedFrom,
    chosen: HeaderTargets = {},
  ) {
    this.#module = module
    this.#chosen = new Map(Object.entries(chosen))
    this.#claimed = new Set(this.#chosen.values())
    this.#headers = new Set(headers)
    this.#notIds = new Set(survey?.notIds)
    const free = headers.filter((name) => !this.#chosen.has(name) && !isOfRejected(name))
    const words = free.map((name) => ({ name, forms: formsOf(module, name) }))
    for (const target of headerTargets[module] ?? []) this.#suggestFor(target, words)
    this.#suggestEmail(free.filter((name) => emailColumns.includes(name)))
    this.#settleNames()
  }

  of(name: string): ColumnTarget {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const chosen = this.#chosen.get(name)
    const target = {
      target: chosen === undefined ? this.#suggestedOf(name) : chosen,
      isChosen: chosen !== undefined,
    }
    this.#known.set(name, target)
    return target
  }

  #isFree(target: string): boolean {
    return !this.#claimed.has(target) && (repeatable.has(target) || !this.#isSuggested(target))
  }

  #isSuggested(target: string): boolean {
    return [...this.#suggested.values()].includes(target)
  }

  #suggestFor(target: string, columns: readonly { name: string; forms: readonly string[] }[]): void {
    const found = columns
      .filter(({ name }) => !this.#suggested.has(name) && !(target === 'id' && this.#notIds.has(name)))
      .map(({ name, forms }) => ({ name, rank: rankOf(this.#module, target, forms) }))
      .filter(({ rank }) => rank !== undefined)
      .toSorted((a, b) => Number(a.rank) - Number(b.rank))
    for (const { name } of found) if (this.#isFree(target)) this.#suggested.set(name, target)
  }

  /** People are known by their e-mail address: a column of addresses is it, where no other column is called so. */
  #suggestEmail(columns: readonly string[]): void {
    const hasEmail = headerTargets[this.#module]?.includes('email')
    const [name] = columns.filter((column) => !this.#suggested.has(column))
    if (hasEmail && name !== undefined && this.#isFree('email')) this.#suggested.set(name, 'email')
  }

  /** A column "Name" beside a first name is the last name; beside both it is neither. */
  #settleNames(): void {
    const [first, last, full] = nameTargets.map(
      (target) => this.#claimed.has(target) || this.#isSuggested(target),
    )
    const column = [...this.#suggested].find(([, target]) => target === 'fullName')?.[0]
    if (!full || column === undefined || !(first || last)) return
    this.#suggested.delete(column)
    if (!last) this.#suggested.set(column, 'lastName')
  }

  #suggestedOf(name: string): string | null {
    if (!this.#headers.has(name)) this.#suggestLate(name)
    const found = this.#suggested.get(name)
    if (isOfRejected(name)) return null
    return found ?? (hasCustomFields(this.#module) ? customTargetOf(name) : null)
  }

  #suggestLate(name: string): void {
    const columns = [{ name, forms: formsOf(this.#module, name) }]
    for (const target of headerTargets[this.#module] ?? []) this.#suggestFor(target, columns)
  }
}

function customTargetOf(name: string): string {
  return `customFields.${name}`
}

/** Returns the target of each column: the one that a person chose, else the suggested one. */
export function mappingOf(module: string, file: SuggestedFrom, chosen: HeaderTargets = {}): HeaderTargets {
  const targets = new ColumnTargets(module, file, chosen)
  return Object.fromEntries(file.headers.map((name) => [name, targets.of(name).target]))
}
