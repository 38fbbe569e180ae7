import { ledgerSetting, readPosition } from '../../jobs/ledger-position.ts'
import { missingLedger } from '../../ledger/apply-ledger.ts'
import { openLedger } from '../../main/compose/databases.ts'
import type { ExaminedRows, Finding } from '../../ports/diagnosis.ts'
import type { ErasureLedger, LedgerPart } from '../../ports/erasure-ledger.ts'
import { rowsOf } from '../../shared/rows-of.ts'
import { StorageUnavailable } from '../../storage/errors.ts'
import type { Check, Examined } from './check.ts'
import { findSetting } from './check-secrets.ts'

const namedMax = 10
const start = 'Start the server: it erases them before its first request'

/** Compares the ledger of erasures with the database; with `--all` each of its lines with the rows. */
export const checkErasures: Check = {
  subject: 'erasures',
  readsRows: true,
  async run({ config, database: { rows }, isThorough }: Examined): Promise<Finding[]> {
    const ledger = await openLedger(config)
    if (ledger === undefined) return [noLedger]
    if (rows === undefined) return [{ outcome: 'ok', sentence: 'No erasure is known yet.' }]
    const known = readPosition(await findSetting(rows, ledgerSetting))
    const part = await ledger.read(known)
    if (part === undefined && known !== undefined)
      return [
        {
          outcome: 'warning',
          sentence: missingLedger(ledger.path),
          mend: `Copy it back to ${ledger.path}, or name it with CRM_ERASURE_LEDGER, and start the server again`,
        },
      ]
    const findings = [
      ...(await unwritableFindings(ledger)),
      ...(part === undefined ? [] : await partFindings(part, ledger)),
      ...(isThorough ? await backFindings(ledger, rows) : []),
    ]
    if (findings.length > 0) return findings
    const sentence =
      part === undefined
        ? 'No erasure is in the ledger yet.'
        : `The database knows every erasure of ${ledger.path}.`
    return [{ outcome: 'ok', sentence }]
  },
}

const noLedger: Finding = {
  outcome: 'warning',
  sentence: 'There is no ledger of erasures: a restore brings erased people back, and nothing says who.',
  mend: 'Name a place that is in no backup of the database, and that every worker reaches, with CRM_ERASURE_LEDGER: a file or an object store',
}

async function unwritableFindings(ledger: ErasureLedger): Promise<Finding[]> {
  try {
    await ledger.assertWritable()
    return []
  } catch (error) {
    // A full sentence of an object store; of a file its name is enough.
    const why = error instanceof StorageUnavailable ? ` ${error.message}.` : ''
    return [
      {
        outcome: 'problem',
        sentence: `${ledger.path} of the ledger of erasures cannot be written: erasures wait, and do not end.${why}`,
        mend: 'Let the user of the server write it, or name another place with CRM_ERASURE_LEDGER',
      },
    ]
  }
}

async function partFindings(part: LedgerPart, { path: file }: ErasureLedger): Promise<Finding[]> {
  const findings: Finding[] = []
  let newer = 0
  let unreadable = 0
  for await (const line of part.lines()) {
    if (line === undefined) unreadable += 1
    else newer += 1
  }
  if (!part.isContinued)
    findings.push({
      outcome: 'problem',
      sentence: `The ledger ${file} is not the one that the database knows.`,
      mend: `${start}, or bring the right file`,
    })
  else if (newer > 0)
    findings.push({
      outcome: 'problem',
      sentence: `The ledger has ${newer} erasures that the database does not know: it holds data of before.`,
      mend: start,
    })
  if (unreadable > 0)
    findings.push({
      outcome: 'warning',
      sentence: `Of these lines of the ledger ${unreadable} cannot be read: a write that was cut off and made again, or damage.`,
      mend: `Compare ${file} with a copy of it`,
    })
  return findings
}

const erasedKinds = ['customers', 'users', 'conversations', 'tenants'] as const

/** Returns a finding for rows that the ledger names and that exist. */
async function backFindings(ledger: ErasureLedger, rows: ExaminedRows): Promise<Finding[]> {
  const erased = new Set<string>()
  const part = await ledger.read(undefined)
  for await (const line of part?.lines() ?? []) if (line) erased.add(`${line.kind} ${line.id}`)
  const back: string[] = []
  for (const kind of erased.size > 0 ? erasedKinds : [])
    for await (const { id, record } of rowsOf(rows, kind)) {
      // A tenant that is being deleted goes last.
      const isGoing = kind === 'tenants' && record['isSuspended'] === true
      if (!isGoing && erased.has(`${kind} ${id}`)) back.push(id)
    }
  if (back.length === 0) return []
  const named = back.slice(0, namedMax).join(', ')
  return [
    {
      outcome: 'problem',
      sentence: `Of the rows that the ledger names ${back.length} exist: ${named}.`,
      mend: 'Delete them once more; the last owner of a tenant needs another owner first',
    },
  ]
}
