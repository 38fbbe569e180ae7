import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { mailReaders, notForeign, otherReaders } from './foreign-readers.ts'
import { expectLinearCost } from './linear-cost.ts'
import { findTextReaders, textReadersOf } from './text-readers.ts'

// The functions that read the text of a stranger: each is measured by `foreign-texts-of-*.test.ts` with the texts of
// `growing-texts.ts`, or says why its text is none. `every-text.test.ts` sends texts to every field of every operation.

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const measured = Object.keys({ ...mailReaders, ...otherReaders })
const excused = Object.values(notForeign).flat()

test('every function that takes a text is measured, or has a reason not to be', () => {
  const found = findTextReaders(root)
  expect(found.length).toBeGreaterThan(200)
  expect(found.filter((name) => !measured.includes(name) && !excused.includes(name))).toEqual([])
  const listed = [...measured.filter((name) => name.includes('#')), ...excused]
  expect(listed.filter((name) => !found.includes(name))).toEqual([])
  expect(excused.filter((name) => measured.includes(name))).toEqual([])
})

test('a function with a text, bytes, a field or a stream of them is found; one with what the service makes is not', () => {
  const source = `
    export function ofText(text: string) {}
    export async function* ofStream(chunks: AsyncIterable<Buffer>) {}
    export const ofField = ({ subject }: { subject: string | null }) => subject
    export const ofAnything = (value: unknown) => value
    export function ofRow(row: Message, now: string, { tenantId }: { tenantId: string }) {}
    export function withMaker(make: (text: string) => number) {}
    function inside(text: string) {}`
  expect(textReadersOf('server/src/mail/parse/new.ts', source)).toEqual(
    ['ofText', 'ofStream', 'ofField', 'ofAnything'].map((name) => `server/mail/parse/new#${name}`),
  )
})

test('a planted function that looks for the end of each beginning is found', async () => {
  const planted = (text: string) => text.replaceAll('<', (_, at: number) => `${text.indexOf('>', at)}`)
  await expect(expectLinearCost('planted', planted, ['open brackets'])).rejects.toThrow('[]')
})
