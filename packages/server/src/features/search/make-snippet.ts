import { foldCase } from '@crmkit/core'
import { placesOf, plainSearchText, type SearchTerm, searchTextLengthMax } from '../../storage/search-text.ts'

export interface Snippet {
  snippet: string
  ranges: [number, number][]
}

/** On each side of the first hit, in UTF-16 units. */
const sideMax = 60
/** A hit of a long word is shown up to here. */
const hitMax = 200
/** A grapheme that begins so far before the snippet is cut off with its beginning. */
const runUpMax = 64
const rangesMax = 20

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const asciiOnly = /^[\u0000-\u007f]*$/
/** A character with the marks that follow it: the smallest part that folds by itself. */
const clusters = /\P{M}\p{M}*|\p{M}+/gu

/** A text as searches compare it, and where each of its units comes from. */
interface Folded {
  text: string
  /** Returns where the part of the original text begins that became the unit at this place of the folded text. */
  startOf(place: number): number
  /** Returns where the part ends that became the unit before this place. */
  endOf(place: number): number
}

function folded(text: string): Folded | undefined {
  const compared = plainSearchText(text)
  if (asciiOnly.test(text)) return { text: compared, startOf: (place) => place, endOf: (place) => place }
  // For each unit of the folded text: where its cluster begins and ends.
  const starts: number[] = []
  const ends: number[] = []
  const parts: string[] = []
  let at = 0
  for (const [cluster] of text.matchAll(clusters)) {
    const part = foldCase(cluster)
    parts.push(part)
    for (let unit = 0; unit < part.length; unit++) {
      starts.push(at)
      ends.push(at + cluster.length)
    }
    at += cluster.length
    // No search compares the rest.
    if (starts.length >= searchTextLengthMax) break
  }
  const whole = plainSearchText(parts.join(''))
  // Some characters fold with others together: their places are not known.
  if (whole !== compared) return undefined
  return {
    text: whole,
    startOf: (place) => starts[place] ?? at,
    endOf: (place) => ends[place - 1] ?? at,
  }
}

/** Returns the places of all hits in the original text, in order; those that overlap as one. */
function hitsOf(text: string, terms: readonly SearchTerm[]): [number, number][] {
  const found = folded(text)
  if (found === undefined) return []
  const places = terms.flatMap((term) => [...placesOf(found.text, term)])
  places.sort((a, b) => a[0] - b[0] || b[1] - a[1])
  const joined: [number, number][] = []
  for (const [start, end] of places) {
    const range: [number, number] = [found.startOf(start), found.endOf(end)]
    const last = joined.at(-1)
    if (last !== undefined && range[0] < last[1]) last[1] = Math.max(last[1], range[1])
    else joined.push(range)
  }
  return joined
}

/** Returns the part of a text between two places, without the graphemes that are only partly in it. */
function wholeGraphemes(text: string, from: number, until: number): [number, number] {
  const base = Math.max(0, from - runUpMax)
  let start = until
  let end = from
  for (const { segment, index } of segmenter.segment(text.slice(base, until + runUpMax))) {
    const begins = base + index
    if (begins < from || begins + segment.length > until) continue
    start = Math.min(start, begins)
    end = Math.max(end, begins + segment.length)
  }
  return start < end ? [start, end] : [from, from]
}

/** Returns a text in one line of the same length. */
function inOneLine(text: string): string {
  return text.replace(/[\s\u0000-\u001f\u007f\u2028\u2029]/g, ' ')
}

/** Returns the text around the first hit of a search; the beginning of the text when no place of it is known. */
export function makeSnippet(content: string, terms: readonly SearchTerm[]): Snippet {
  const text = content.toWellFormed()
  const hits = hitsOf(text, terms)
  const [hitStart, hitEnd] = hits[0] ?? [0, 0]
  const until = Math.min(text.length, Math.min(hitEnd, hitStart + hitMax) + sideMax)
  const [start, end] = wholeGraphemes(text, Math.max(0, hitStart - sideMax), until)
  const ranges = hits
    .filter(([from, to]) => from >= start && to <= end)
    .slice(0, rangesMax)
    .map(([from, to]): [number, number] => [from - start, to - start])
  return { snippet: inOneLine(text.slice(start, end)), ranges }
}
