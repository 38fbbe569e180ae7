import { isDeepStrictEqual, stripVTControlCharacters } from 'node:util'

/** One call of the journey, as clients/journey.json expects it and as a program prints it. */
export interface Call {
  readonly call: string
  readonly status: number
  readonly seen: Readonly<Record<string, unknown>>
}

/** The last line of each program: the event that its receiver got. */
export const lastLine = { webhook: 'customer.created', isSigned: true, isSignedWhenChanged: false }

/** Returns the differences between the lines that a program has printed and the journey. */
export function differencesOf(output: string, journey: readonly Call[]): string[] {
  // Tools around the program may set colours.
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as unknown)
  const expected: readonly unknown[] = [...journey, lastLine]
  return Array.from({ length: Math.max(lines.length, expected.length) }, (_, index) => index)
    .filter((index) => !isDeepStrictEqual(lines[index], expected[index]))
    .map(
      (index) =>
        `${index + 1}: expected ${JSON.stringify(expected[index])}, got ${JSON.stringify(lines[index])}`,
    )
}
