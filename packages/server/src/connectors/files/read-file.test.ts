import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ReadRow, readRows } from './file-rows.ts'
import { foreignFormatOf } from './foreign-format.ts'
import { EncodingCheck, type FileEncoding, readUtf8 } from './read-text.ts'
import { type SniffOptions, sniffFile } from './sniff-file.ts'
import { uniqueNames } from './unique-names.ts'

/** Reads a file as an upload and its import do. */
async function readFile(bytes: Buffer, { filename = 'rows.csv', given }: Partial<SniffOptions> = {}) {
  const shape = await sniffFile(bytes, { filename, isWhole: true, ...(given && { given }) })
  const rows: ReadRow[] = []
  const text = readUtf8(async () => Readable.from([bytes]), shape)
  for await (const row of readRows(shape, text)) rows.push(row)
  const records = rows.flatMap((row) => (row.type === 'record' ? [Object.fromEntries(row.values)] : []))
  const others = rows.flatMap(({ type, row }) =>
    type === 'record' || type === 'blank' || type === 'head' ? [] : [{ type, row }],
  )
  return { shape, records, others }
}

const lines = (...rows: string[]) => Buffer.from(`${rows.join('\n')}\n`)

describe('the shape of a table', () => {
  it('a line sep= names the delimiter and is no row', async () => {
    const { shape, records } = await readFile(lines('sep=;', 'Name;Email', 'Ann, A;a@x.example'))
    expect(shape).toMatchObject({ delimiter: ';', headerRow: 2 })
    expect(records).toEqual([{ Name: 'Ann, A', Email: 'a@x.example' }])
  })

  it('lines before the header belong to no row', async () => {
    const { shape, records } = await readFile(
      lines(
        'Notes:',
        '"Some addresses, it says, are missing"',
        '',
        'First,Last,Email',
        'Ines,Moreau,i@x.example',
      ),
    )
    expect(shape.headerRow).toBe(4)
    expect(records).toEqual([{ First: 'Ines', Last: 'Moreau', Email: 'i@x.example' }])
  })

  it('a header that lacks most names stays the header', async () => {
    const { shape, records } = await readFile(lines('Name,,,', 'Ann,a@x.example,1,2', 'Bob,b@x.example,3,4'))
    expect(shape.headerRow).toBe(1)
    expect(records[0]).toEqual({ Name: 'Ann', 'Column 2': 'a@x.example', 'Column 3': '1', 'Column 4': '2' })
  })

  it('a header of years is one behind a title', async () => {
    const { shape } = await readFile(
      lines('Doctors by region', '', 'Region;1999;2004', 'North;1;2', 'South;3;4'),
    )
    expect(shape).toMatchObject({ headerRow: 3, headers: ['Region', '1999', '2004'] })
  })

  it('a name above values with commas is the header of one column', async () => {
    const { shape, others } = await readFile(lines('Name', 'Smith, John', 'Doe, Jane'))
    expect(shape.headerRow).toBe(1)
    expect(others).toHaveLength(2)
  })

  it('the delimiter is the one by which most rows agree, not the most frequent one of the header', async () => {
    const { shape } = await readFile(
      lines('Name;Address (street, no, zip, town);Email', 'A;x;a@x.example', 'B;y;b@x.example'),
    )
    expect(shape).toMatchObject({
      delimiter: ';',
      headers: ['Name', 'Address (street, no, zip, town)', 'Email'],
    })
  })

  it('lines of one cell behind an empty line at the end are no rows', async () => {
    const report = lines('No,Subject,Status', '1,Pump,New', '', 'Cases, all', 'Made by O. Owner', 'Copyright')
    // "Cases, all" has two cells, so it is a row; nothing is left out that may be one.
    expect((await readFile(report)).records).toHaveLength(4)
    const foot = lines('No,Subject,Status', '1,Pump,New', '', 'All cases', 'Copyright')
    expect(await readFile(foot)).toMatchObject({
      records: [{ No: '1' }],
      others: [
        { type: 'outside', row: 4 },
        { type: 'outside', row: 5 },
      ],
    })
  })

  it('rows of one cell before other rows are rows', async () => {
    const { records } = await readFile(lines('No,Subject,Status', '1,Pump,New', '', '2', '3,Fan,New'))
    expect(records.map(({ No }) => No)).toEqual(['1', '2', '3'])
  })

  it('nothing that a person says is guessed', async () => {
    const text = lines('a,b;c', '1,2;3', '4,5;6')
    const given = { delimiter: ';', headerRow: 0, encoding: 'windows-1251' as const }
    const { shape, records } = await readFile(text, { given })
    expect(shape).toMatchObject(given)
    expect(records[0]).toEqual({ 'Column 1': 'a,b', 'Column 2': 'c' })
  })
})

describe('the encoding', () => {
  /** Bytes of texts in encodings that Node does not write, made with Python's codecs. */
  const texts: readonly (readonly [FileEncoding, string, string])[] = [
    ['windows-1250', 'SW1p6jtOYXp3aXNrbwqjdWthc3o7RLlicm93c2tpCq9hbmV0YTtX82pjaWsK', 'Łukasz;Dąbrowski'],
    // Accents before plain letters alone are no pairs of Big5.
    [
      'windows-1252',
      Buffer.from('Cidade\n\u00c1guas Claras\nBras\u00edlia\nS\u00e3o Jo\u00e3o\n', 'latin1').toString(
        'base64',
      ),
      'Águas',
    ],
    ['windows-1251', 'yOz/O9Tg7Ojr6P8KyOLg7TvP5fLw7uIK', 'Имя'],
    ['shift_jis', 'lrw7kKkKkb6YWTuOUpNjCg==', '太郎;山田'],
    ['euc-kr', 'wMy4pzu8ujvAzLjewM8Kuc7B2Dux6DttQHgK', '이름'],
  ]
  it.each(texts)('%s is known by its letters', async (encoding, base64, part) => {
    const bytes = Buffer.from(base64, 'base64')
    const { shape } = await readFile(bytes)
    expect(shape.encoding).toBe(encoding)
    expect(new TextDecoder(encoding).decode(bytes)).toContain(part)
  })

  it.each(['utf-16le', 'utf-16be'] as const)('%s needs no byte order mark', async (encoding) => {
    const bytes = Buffer.from('Name,Email\nÖne,a@x.example\n', 'utf16le')
    const { shape, records } = await readFile(encoding === 'utf-16le' ? bytes : bytes.swap16())
    expect(shape.encoding).toBe(encoding)
    expect(records).toEqual([{ Name: 'Öne', Email: 'a@x.example' }])
  })

  it('a late byte contradicts UTF-8, a letter that two pieces share does not', () => {
    const late = new EncodingCheck()
    for (let piece = 0; piece < 3; piece++) late.add(Buffer.from('Name,Email\n'))
    late.add(Buffer.from('M\u00fcller,a@x.example\n', 'latin1'))
    expect(late.end()).toBe('windows-1252')
    const whole = new EncodingCheck()
    const bytes = Buffer.from('Müller 🙂 Öne')
    for (const byte of bytes) whole.add(Buffer.from([byte]))
    expect(whole.end()).toBe('utf-8')
    const cut = new EncodingCheck()
    cut.add(Buffer.from('M\u00fc', 'latin1'))
    expect(cut.end()).toBe('windows-1252')
  })
})

describe('a list within an object', () => {
  const reply = '{"count": 2, "users": [{"id": 1, "email": "a]@x.example"}, {"id": 2}], "next": {"a": [1]}}'

  it.each([1, 7, 1000])('is read in pieces of %i bytes', async (size) => {
    const bytes = Buffer.from(reply)
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    )
    const shape = await sniffFile(bytes, { filename: 'reply.json', isWhole: true })
    expect(shape).toMatchObject({ format: 'json', headers: ['id', 'email'] })
    const records: unknown[] = []
    for await (const row of readRows(shape, Readable.from(pieces)))
      records.push(row.type === 'record' ? Object.fromEntries(row.values) : row)
    expect(records).toEqual([{ id: 1, email: 'a]@x.example' }, { id: 2 }])
  })

  it('a second list is named, not lost', async () => {
    const { others } = await readFile(Buffer.from('{"users": [{"id": 1}], "teams": [{"id": 2}]}'), {
      filename: 'reply.json',
    })
    expect(others).toEqual([{ type: 'unreadable', row: 2 }])
  })

  it('lines of records with lists of objects are lines', async () => {
    const text = lines('{"name":"A","tags":[{"t":1}]}', '{"name":"B","tags":[]}')
    const { shape, records } = await readFile(text, { filename: 'rows.ndjson' })
    expect(shape.format).toBe('ndjson')
    expect(records).toHaveLength(2)
  })
})

describe('cards', () => {
  const card = (...properties: string[]) => ['BEGIN:VCARD', ...properties, 'END:VCARD']
  const readCards = (...all: string[][]) => readFile(lines(...all.flat()), { filename: 'people.vcf' })

  it('versions 2.1 to 4.0 are read, the preferred value first', async () => {
    const { shape, records } = await readCards(
      card(
        'VERSION:3.0',
        'N:Ruiz;Ada;Maria;Dr.;',
        'FN:Dr. Ada Maria Ruiz',
        'item1.EMAIL;TYPE=home:ada@home.example',
        'EMAIL;TYPE=work,pref:ada@x.example',
        'TEL;TYPE="cell,voice":+49 30 1',
        'ORG:Lamps\\, Inc.;Sales',
        'NOTE:two\\nlines and a',
        '  folded one',
        'PHOTO;ENCODING=b:AAAA',
        ' BBBB',
        'X-SKYPE-USERNAME:ada',
        'REV:20240115T102030Z',
      ),
      card(
        'VERSION:2.1',
        'N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=FC=',
        'rgen',
        'TEL;CELL:0171',
        'TEL;WORK;PREF:030',
      ),
      card('VERSION:4.0', 'FN:Cher', 'UID:urn:uuid:1', 'EMAIL;PREF=1:cher@x.example'),
    )
    expect(shape).toMatchObject({ format: 'vcf', delimiter: null, headerRow: null })
    expect(records).toEqual([
      {
        'Last Name': 'Ruiz',
        'First Name': 'Ada',
        'Middle Name': 'Maria',
        'Name Prefix': 'Dr.',
        Email: 'ada@x.example',
        'Email 2': 'ada@home.example',
        Phone: '+49 30 1',
        Company: 'Lamps, Inc.',
        Department: 'Sales',
        Note: 'two\nlines and a folded one',
        'Skype username': 'ada',
        'Last Modified': '20240115T102030Z',
      },
      { 'Last Name': 'M\u00fcller', 'First Name': 'J\u00fcrgen', Phone: '030', 'Phone 2': '0171' },
      { 'Full Name': 'Cher', UID: 'urn:uuid:1', Email: 'cher@x.example' },
    ])
  })

  it('a card without an end is named, and the next one is read', async () => {
    const { records, others } = await readCards(['BEGIN:VCARD', 'FN:A'], card('FN:B'), [
      'BEGIN:VCARD',
      'FN:C',
    ])
    expect(records).toEqual([{ 'Full Name': 'B' }])
    expect(others).toEqual([
      { type: 'unreadable', row: 1 },
      { type: 'unreadable', row: 3 },
    ])
  })
})

it.each([
  [
    'an Excel workbook (.xlsx)',
    Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.from('....xl/workbook.xml')]),
  ],
  ['an old Excel workbook (.xls)', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
  ['a web page', Buffer.from('\ufeff<!DOCTYPE html><p>Sign in')],
  ['a PDF file', Buffer.from('%PDF-1.7')],
  ['a text in UTF-32', Buffer.from('fffe00004e000000', 'hex')],
  ['a binary file', Buffer.from('PAR1\u0015\u0004\u0015\u0000Name,Email')],
])('%s is called by its name', (format, head) => {
  expect(foreignFormatOf(head)).toBe(format)
})

/* A table that a program writes is read cell by cell, whatever its dialect. */

const cell = fc.oneof(
  fc.constantFrom(
    '',
    'a@x.example',
    '2024-01-15',
    'Müller',
    'said "yes"',
    'a;b',
    'a,b',
    'two\nlines',
    '+49 30 1',
    '名',
  ),
  fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[\u0000-\u001f]/g, ' ')),
)
const table = fc.integer({ min: 3, max: 6 }).chain((columns) =>
  fc.record({
    headers: fc.array(fc.stringMatching(/^[A-Z][a-z]{2,8}( [A-Z][a-z]{1,5})?$/), {
      minLength: columns,
      maxLength: columns,
    }),
    rows: fc.array(
      fc
        .array(cell, { minLength: columns, maxLength: columns })
        .filter((cells) => cells.some((text) => text.trim() !== '')),
      { minLength: 3, maxLength: 12 },
    ),
  }),
)
const dialect = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  newline: fc.constantFrom('\n', '\r\n'),
  encoding: fc.constantFrom('utf-8' as const, 'utf-16le' as const),
  hasMark: fc.boolean(),
  isQuoted: fc.boolean(),
  head: fc.constantFrom([], ['Export'], ['Export of contacts', '']),
  foot: fc.constantFrom([], ['', 'End of the report']),
})

it('a random table in a random dialect is read back cell by cell', async () => {
  await fc.assert(
    fc.asyncProperty(table, dialect, async ({ headers, rows }, how) => {
      const { delimiter, newline } = how
      const write = (text: string) =>
        how.isQuoted || /["\r\n]/.test(text) || text.includes(delimiter) || text !== text.trim()
          ? `"${text.replaceAll('"', '""')}"`
          : text
      const written = [headers, ...rows].map((cells) => cells.map(write).join(delimiter))
      const text = [...how.head, ...written, ...how.foot, ''].join(newline)
      const bytes = Buffer.from(
        (how.hasMark ? '\ufeff' : '') + text,
        how.encoding === 'utf-8' ? 'utf8' : 'utf16le',
      )
      const { shape, records, others } = await readFile(bytes)
      expect(shape).toMatchObject({
        delimiter,
        headerRow: how.head.length + 1,
        headers: uniqueNames(headers),
      })
      expect(records).toEqual(
        rows.map((cells) => Object.fromEntries(uniqueNames(headers).map((name, at) => [name, cells[at]]))),
      )
      expect(others.every(({ type }) => type === 'outside')).toBe(true)
    }),
    { numRuns: 300 },
  )
})
