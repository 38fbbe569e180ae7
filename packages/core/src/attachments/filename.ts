import { normalizeText } from '../shared/normalize.ts'

/** Long enough for a person, short enough for every file system and header. */
const filenameLengthMax = 150
const extensionLengthMax = 16
const unnamed = 'file'
// Cleaning costs more than the name is long, so of a longer name only the beginning and the end are read: more than four
// times what is kept, because NFC can shorten a text to a quarter (UAX #15).
const readLengthMax = 1000
const readEndLength = 200

// Control characters, and characters that are invisible or reverse the text: `fdp.exe` must not look like `exe.pdf`.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu
// Characters with a meaning in a path or a shell of any system.
const reserved = /[<>:"|?*/\\]/g
// Names of devices on Windows, with any extension.
const device = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/**
 * A file name that is safe to show and to store anywhere: without folders, control characters and invisible characters,
 * of at most 150 characters. The extension stays.
 */
export function safeFilename(given: string): string {
  const name = shortened(given.slice(1 + Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\'))))
  const base = normalizeText(name.toWellFormed(), 'NFC')
  const cleaned = base
    .replaceAll('\ufffd', '')
    .replace(invisible, '')
    .replace(reserved, '_')
    .replace(/\s+/gu, ' ')
    // bounded: `shortened` leaves 1,000 characters.
    .replace(/^[\s.]+|[\s.]+$/gu, '')
    .replace(device, '_$1')
  const { stem, extension } = split(cleaned === '' ? unnamed : cleaned)
  const stemLengthMax = filenameLengthMax - extension.length
  return `${[...stem].slice(0, stemLengthMax).join('').slice(0, stemLengthMax).toWellFormed().replaceAll('\ufffd', '').trimEnd()}${extension}`
}

function shortened(name: string): string {
  if (name.length <= readLengthMax) return name
  return name.slice(0, readLengthMax - readEndLength) + name.slice(-readEndLength)
}

function split(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot) : ''
  if (extension.length > extensionLengthMax || /\s/u.test(extension)) return { stem: name, extension: '' }
  return { stem: name.slice(0, dot > 0 ? dot : undefined), extension }
}
