/* Whether two names can be those of one person. */

export interface PersonName {
  firstName: string | null
  lastName: string | null
}

/** The parts of a name without case, accents, commas and order. */
function partsOf({ firstName, lastName }: PersonName): string[] {
  return (
    `${firstName ?? ''} ${lastName ?? ''}`
      // bounded: names here have at most 100 characters each.
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((part) => part !== '')
      .sort()
  )
}

/** A name in the form in which a person is known again. */
export function foldedName(name: PersonName): string {
  return partsOf(name).join(' ')
}

/** A letter may stand for any name; a character of a writing without cases is a name. */
function isInitial(part: string): boolean {
  return part.length === 1 && part.toUpperCase() !== part.toLowerCase()
}

/** Whether one side has no name, or both have the same one. An initial proves nothing. */
export function mayBeOneName(a: PersonName, b: PersonName): boolean {
  const [first, second] = [partsOf(a), partsOf(b)]
  if (first.length === 0 || second.length === 0) return true
  return first.join(' ') === second.join(' ') && !first.some(isInitial)
}

/** Whether both sides have a name, and the names differ. */
export function haveOtherNames(a: PersonName, b: PersonName): boolean {
  const [first, second] = [partsOf(a), partsOf(b)]
  return first.length > 0 && second.length > 0 && first.join(' ') !== second.join(' ')
}
