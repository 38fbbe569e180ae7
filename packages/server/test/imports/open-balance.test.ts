import { pino } from 'pino'
import { expect, test } from 'vitest'
import { showBalance } from '../../src/imports/run/balance.ts'
import type { CellUse, SourceConnection, SourcePage } from '../../src/ports/connector.ts'
import { openImports } from './import-harness.ts'
import { MemorySource } from './memory-source.ts'

const file = {
  module: 'Contacts' as const,
  fileId: 'fil_1',
  filename: 'people.csv',
  targets: new Map([
    ['Name', 'lastName'],
    ['Fax', null],
  ]),
  blank: 0,
  outside: 0,
}

/** The people of a file, of which a test says what became of each cell in "Fax", and how many rows the file had. */
function openFile(uses: readonly CellUse[], total = uses.length): () => SourceConnection {
  const source = new MemorySource()
  for (const [index, use] of uses.entries()) {
    source.put({
      module: 'Contacts',
      id: String(index),
      row: index + 1,
      fields: { lastName: `Name ${index}` },
      cells: new Map<string, CellUse>([
        ['Name', 'stored'],
        ['Fax', use],
      ]),
      columns: new Map([['lastName', 'Name']]),
    })
  }
  return () => {
    const connection = source.open()
    async function* pages(...given: Parameters<SourceConnection['pages']>): AsyncGenerator<SourcePage> {
      for await (const page of connection.pages(...given))
        yield given[0] === 'Contacts' ? { ...page, file: { ...file, total } } : page
    }
    return { ...connection, pages }
  }
}

async function importFile(open: () => SourceConnection) {
  const imports = await openImports(open)
  const lines: string[] = []
  imports.parts.log = pino({}, { write: (line: string) => lines.push(line) })
  const run = await imports.importAll()
  return {
    status: run.status,
    balance: showBalance(run, { hasColumns: true }),
    issues: (await imports.issuesOf(run._id)).filter(({ code }) => code === 'BALANCE_OPEN'),
    errors: lines.filter((line) => line.includes('The balance of an import does not close')),
  }
}

test('a file whose rows and cells are each in one figure closes', async () => {
  const { status, balance, issues, errors } = await importFile(openFile(['kept', 'named', 'leftOut']))
  expect(status).toBe('completed')
  expect(balance).toMatchObject({
    closes: true,
    files: [{ columns: [{}, { name: 'Fax', cells: 3, stored: 0, kept: 1, named: 1, leftOut: 1 }] }],
  })
  expect(issues).toEqual([])
  expect(errors).toEqual([])
})

test('a cell that no part of the import uses is an error of the run, which names its column', async () => {
  const { status, balance, issues, errors } = await importFile(openFile(['kept', 'lost']))
  expect(status).toBe('completed_with_errors')
  expect(balance?.closes).toBe(false)
  expect(issues).toMatchObject([
    {
      severity: 'error',
      message: 'the balance of the file does not close: column Fax: 2 cells, 1 in the figures',
    },
  ])
  expect(errors).toHaveLength(1)
})

test('a row that becomes no record and is not named is an error of the run', async () => {
  const { status, balance, issues, errors } = await importFile(openFile(['kept', 'kept'], 3))
  expect(status).toBe('completed_with_errors')
  expect(balance?.closes).toBe(false)
  expect(issues).toMatchObject([
    { severity: 'error', message: 'the balance of the file does not close: 3 rows, 2 in the figures' },
  ])
  expect(errors).toHaveLength(1)
})
