import { type ReadText, weightOf } from './text-lines.ts'

const shingleLength = 4
/** Of words that repeat themselves as many places are tried. */
const placesMax = 8
/** As many words are compared to choose among these places. */
const comparedMax = 64
const runWeightMin = 3

/** Returns the place of each word in the known words, by runs of at least four equal words; -1 for a word of none. */
export function placesIn(read: Pick<ReadText, 'lines' | 'words'>, known: readonly string[]): number[] {
  return new Places(read, known).find()
}

class Places {
  readonly #words: readonly string[]
  readonly #lineStarts: ReadonlySet<number>
  readonly #known: readonly string[]
  readonly #starts: ReadonlyMap<string, number[]>
  /** The place of the last word that was found. */
  #before = -1

  constructor({ lines, words }: Pick<ReadText, 'lines' | 'words'>, known: readonly string[]) {
    this.#words = words
    this.#lineStarts = new Set(lines.map(({ firstWord }) => firstWord))
    this.#known = known
    this.#starts = startsOf(known)
  }

  find(): number[] {
    const words = this.#words
    const places = new Array<number>(words.length).fill(-1)
    for (let at = 0; at + shingleLength <= words.length; ) {
      const start = this.#startOf(at)?.place
      const length = start === undefined ? 1 : this.#runOf(at, start)
      if (start !== undefined) {
        const isRun = weightOf(words.slice(at, at + length)) >= runWeightMin
        if (isRun) for (let next = 0; next < length; next++) places[at + next] = start + next
        this.#before = start + length - 1
      }
      at += length
    }
    return places
  }

  /** Returns the place at which the most words go on, behind the last one if there is a choice. */
  #startOf(at: number): { place: number; length: number } | undefined {
    let best: { place: number; length: number } | undefined
    for (const place of this.#starts.get(shingleAt(this.#words, at)) ?? []) {
      const length = this.#equalAt(at, place, comparedMax)
      const isNext = place > this.#before && (best?.place ?? -1) <= this.#before
      if (length > (best?.length ?? 0) || (length === best?.length && isNext)) best = { place, length }
    }
    return best
  }

  /** Returns how many words go on as the known ones. The words of a line may only happen to follow those of the line before it. */
  #runOf(at: number, start: number): number {
    let length = shingleLength
    while (this.#isEqual(at + length, start + length)) {
      if (this.#lineStarts.has(at + length)) {
        const other = this.#startOf(at + length)?.length ?? 0
        if (other > this.#equalAt(at + length, start + length, comparedMax)) break
      }
      length += 1
    }
    return length
  }

  #equalAt(at: number, place: number, max: number): number {
    let length = 0
    while (length < max && this.#isEqual(at + length, place + length)) length += 1
    return length
  }

  #isEqual(at: number, place: number): boolean {
    return at < this.#words.length && this.#words[at] === this.#known[place]
  }
}

function startsOf(words: readonly string[]): Map<string, number[]> {
  const starts = new Map<string, number[]>()
  for (let at = 0; at + shingleLength <= words.length; at++) {
    const shingle = shingleAt(words, at)
    const known = starts.get(shingle)
    if (known === undefined) starts.set(shingle, [at])
    else if (known.length < placesMax) known.push(at)
  }
  return starts
}

function shingleAt(words: readonly string[], at: number): string {
  return `${words[at]} ${words[at + 1]} ${words[at + 2]} ${words[at + 3]}`
}
