import { textWidth } from './text-width.ts'

type Line = readonly [title: string, value: string]

/** Renders one block for each row and one line for each property: for narrow terminals and single records. */
export function renderCards(
  cards: readonly (readonly Line[])[],
  styleTitle: (text: string) => string,
): string {
  const titleWidth = Math.max(0, ...cards.flat().map(([title]) => textWidth(title)))
  return cards
    .map((lines) =>
      lines.map(([title, value]) => `${styleTitle(title.padEnd(titleWidth))}  ${value}`).join('\n'),
    )
    .join('\n\n')
}
