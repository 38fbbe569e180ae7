import { describe, expect, it } from 'vitest'
import { attachmentBytesMax, attachmentsPerMessageMax } from '../../core/src/attachments/attachment.ts'
import { readMarkdown } from '../../widget/src/browser/frame/markdown.ts'
import { fileBytesMax, filesMax } from '../src/api/attachment-limits.ts'
import { type Format, format, formats } from '../src/features/thread/format.ts'

/** The text of a field with `|` at both ends of the selection, or once at the cursor. */
function formatted(marked: string, kind: Format): string {
  const [before = '', inner, after] = marked.split('|')
  const text = before + (after === undefined ? '' : inner) + (after ?? inner)
  const selection = {
    from: before.length,
    to: before.length + (after === undefined ? 0 : (inner ?? '').length),
  }
  const { from, to, by, select } = format(text, selection, kind)
  const next = text.slice(0, from) + by + text.slice(to)
  const chosen = next.slice(select.from, select.to)
  return `${next.slice(0, select.from)}|${chosen}${chosen === '' ? '' : '|'}${next.slice(select.to)}`
}

describe('a format', () => {
  it.each([
    ['strong', 'a |word| b', 'a **|word|** b'],
    ['strong', 'a **|word|** b', 'a |word| b'],
    ['strong', 'a | word | b', 'a  **|word|**  b'],
    ['strong', '|one\n\ntwo|', '|**one**\n\n**two**|'],
    ['strong', 'at |', 'at **|**'],
    ['em', '|a|', '_|a|_'],
    ['em', '_|a|_', '|a|'],
    ['em', 'un|happy|', 'un*|happy|*'],
    ['code', 'press |F1|', 'press `|F1|`'],
    ['code', '|a\nb|', '|```\na\nb\n```|'],
    ['ul', 'a\n|b', 'a\n- b|'],
    ['ul', '|a\nb|', '|- a\n- b|'],
    ['ul', '|- a\n* b|', '|a\nb|'],
    ['a', 'see |here|', 'see [here](|https://|)'],
    ['a', '|https://shop.example|', '[|](https://shop.example)'],
    ['a', '|', '[|](https://)'],
  ] as const)('%s of %j is %j', (kind, before, after) => {
    expect(formatted(before, kind)).toBe(after)
  })

  it('is one for the reader of the text, whatever is selected', () => {
    const text = 'The lamp, the switch\n\nand a bulb'
    for (const kind of formats.filter((one) => one !== 'a'))
      for (let from = 0; from < text.length; from++)
        for (let to = from + 1; to <= text.length; to++) {
          if (text.slice(from, to).trim() === '') continue
          const { from: start, to: end, by } = format(text, { from, to }, kind)
          const tags = readMarkdown(text.slice(0, start) + by + text.slice(end)).map((node) =>
            typeof node === 'string' ? '' : node.tag,
          )
          expect([
            from,
            to,
            tags.filter((tag) => tag === kind || (kind === 'code' && tag === 'pre')),
          ]).not.toEqual([from, to, []])
        }
  })
})

it('the limits of files are those of the service', () => {
  expect({ fileBytesMax, filesMax }).toEqual({
    fileBytesMax: attachmentBytesMax,
    filesMax: attachmentsPerMessageMax,
  })
})
