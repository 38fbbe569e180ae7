/** The forms of one name: `cannedReplies` is an area of the contract and a kind of row. */
export interface Names {
  /** `cannedReplies` */
  readonly plural: string
  /** `cannedReply` */
  readonly singular: string
  /** `CannedReplies` */
  readonly Plural: string
  /** `CannedReply` */
  readonly Singular: string
  /** `canned-replies`: files and paths. */
  readonly pluralPath: string
  /** `canned-reply` */
  readonly singularPath: string
  /** `canned replies`: sentences. */
  readonly pluralWords: string
  /** `canned reply` */
  readonly singularWords: string
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function singularOf(plural: string): string {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`
  return /(x|ch|sh|ss)es$/.test(plural) ? plural.slice(0, -2) : plural.replace(/s$/, '')
}

export function namesOf(plural: string): Names {
  if (!/^[a-z][A-Za-z]*s$/.test(plural)) {
    throw new Error(
      `"${plural}": name it as the contract will, in camel case and in the plural: cannedReplies`,
    )
  }
  const singular = singularOf(plural)
  return {
    plural,
    singular,
    Plural: capital(plural),
    Singular: capital(singular),
    pluralPath: kebab(plural),
    singularPath: kebab(singular),
    pluralWords: kebab(plural).replaceAll('-', ' '),
    singularWords: kebab(singular).replaceAll('-', ' '),
  }
}

export interface FieldSpec {
  readonly name: string
  /** `lines` is a text of several lines; both are stored as texts. */
  readonly type: 'text' | 'lines' | 'moment' | 'flag' | 'number'
  readonly isNullable: boolean
  /** Characters that a text may have. */
  readonly max: number
}

const defaultMax = 200

/** Reads `title:text`, `body:linesOf(5000)`, `usedAt:moment?`. */
export function fieldOf(text: string): FieldSpec {
  const pattern = /^([a-z][A-Za-z]*):(?:(text|moment|flag|number)|(text|lines)Of\((\d{1,6})\))(\??)$/
  const [, name, plain, long, max, mark] = pattern.exec(text) ?? []
  if (name === undefined || (plain === 'flag' && mark === '?')) {
    throw new Error(
      `"${text}": a field is NAME:TYPE, with text, textOf(MAX), linesOf(MAX), moment, number or flag; a question mark behind it, not behind flag, lets it be null`,
    )
  }
  const type = (plain ?? long) as FieldSpec['type']
  return { name, type, isNullable: mark === '?', max: max === undefined ? defaultMax : Number(max) }
}

/** `sharedTitle` as `Shared title`. */
export function sentenceOf(name: string): string {
  return capital(kebab(name).replaceAll('-', ' '))
}
