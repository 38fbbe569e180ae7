import { zipOf } from './zip-of.ts'

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export interface SheetOf {
  name: string
  /** The rows as they stand in the sheet. */
  rows: string
  state?: string
}

/** The other parts of a workbook beside its sheets: shared texts, formats of numbers by their ids, the style of each cell. */
export interface BookOf {
  texts?: readonly string[]
  formats?: Readonly<Record<number, string>>
  styles?: readonly number[]
  properties?: string
  more?: Readonly<Record<string, string>>
}

/** Makes a workbook of sheets. */
export function workbookOf(sheets: readonly SheetOf[], book: BookOf = {}): Buffer {
  const { texts = [], formats = {}, styles = [0], properties = '', more = {} } = book
  const numFmts = Object.entries(formats).map(
    ([id, code]) => `<numFmt numFmtId="${id}" formatCode="${escaped(code)}"/>`,
  )
  return zipOf({
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${office}">${properties}<sheets>${sheets
      .map(
        ({ name, state = 'visible' }, at) =>
          `<sheet name="${name}" sheetId="${at + 1}" state="${state}" r:id="rId${at + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships>${sheets
      .map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`)
      .join('')}</Relationships>`,
    'xl/sharedStrings.xml': `${head}<sst xmlns="${main}">${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml': `${head}<styleSheet><numFmts>${numFmts.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles
      .map((id) => `<xf numFmtId="${id}"/>`)
      .join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheets.map(({ rows }, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `${head}<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  })
}

/** Returns the rows of a sheet whose cells are texts. */
export function textRows(...rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${escaped(text)}</t></is></c>`
  return rows.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
