import { wideEncodingOf } from './detect-encoding.ts'

const signatures: readonly (readonly [string, string])[] = [
  ['504b0304', 'an archive or a workbook'],
  ['d0cf11e0a1b11ae1', 'an old Excel workbook (.xls)'],
  ['25504446', 'a PDF file'],
  ['89504e47', 'a picture'],
  ['ffd8ff', 'a picture'],
  ['47494638', 'a picture'],
  ['1f8b', 'a compressed file'],
  ['fffe0000', 'a text in UTF-32'],
  ['0000feff', 'a text in UTF-32'],
]

/** Names of the entries of an archive that say what it is; they stand as they are within its bytes. */
const entries: readonly (readonly [string, string])[] = [
  ['xl/', 'an Excel workbook (.xlsx)'],
  ['word/', 'a Word document'],
  ['content.xml', 'a spreadsheet of OpenDocument (.ods)'],
]

const texts: readonly (readonly [RegExp, string])[] = [
  [/^(?:<!doctype html|<html)/i, 'a web page'],
  [/^<\?xml/i, 'an XML file'],
  [/^\{\\rtf/, 'a text of a word processor'],
]

/** Returns the format of a file that is neither CSV nor JSON, in words; undefined for one that may be. */
export function foreignFormatOf(head: Buffer): string | undefined {
  const hex = head.subarray(0, 8).toString('hex')
  const found = signatures.find(([start]) => hex.startsWith(start))?.[1]
  if (found === signatures[0]?.[1]) return entries.find(([name]) => head.includes(name))?.[1] ?? found
  const start = head
    .subarray(0, 200)
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
  return found ?? texts.find(([pattern]) => pattern.test(start))?.[1] ?? binaryOf(head)
}

/** No text but UTF-16 holds a zero byte. */
function binaryOf(head: Buffer): string | undefined {
  const isWide = /^(?:fffe|feff)/.test(head.toString('hex', 0, 2)) || wideEncodingOf(head) !== undefined
  return head.includes(0) && !isWide ? 'a binary file' : undefined
}
