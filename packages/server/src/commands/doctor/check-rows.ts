import type { ExaminedRows, Finding } from '../../ports/diagnosis.ts'
import type { TransferRow } from '../../ports/storage-transfer.ts'
import { rowsOf } from '../../shared/rows-of.ts'
import { storedKinds } from '../../storage/kinds/derive.ts'
import type { FieldType } from '../../storage/kinds/fields.ts'
import { type Kind, kinds } from '../../storage/kinds/registry.ts'
import { DamagedRow, readable } from '../../storage/rules/readable-rows.ts'
import type { Check } from './check.ts'

/** The most rows of a kind that are read without `--all`. */
const sampleMax = 1_000
const namedMax = 5

const jsTypes: Readonly<Record<FieldType, string | undefined>> = {
  text: 'string',
  moment: 'string',
  flag: 'boolean',
  number: 'number',
  json: undefined,
}

/** Returns why the service cannot read a row; undefined when it can. */
function damageOf(kind: Kind, { id, record }: TransferRow): string | undefined {
  try {
    const row: Readonly<Record<string, unknown>> = readable(kind, { ...record })
    const wrong = Object.entries(kinds[kind].fields).find(([field, { type, isNullable }]) => {
      const value = row[field] ?? null
      const expected = jsTypes[type]
      if (expected === undefined || (value === null && (isNullable || row[field] === undefined))) return false
      return typeof value !== expected
    })
    return wrong && `${id} (${wrong[0]} has another type)`
  } catch (error) {
    if (!(error instanceof DamagedRow)) throw error
    return `${id} (${error.message.split(': ').at(-1)})`
  }
}

async function findDamage(rows: ExaminedRows, kind: Kind, rowsMax: number): Promise<string[]> {
  const damaged: string[] = []
  for await (const row of rowsOf(rows, kind, { rowsMax })) {
    const damage = damageOf(kind, row)
    if (damage !== undefined) damaged.push(damage)
  }
  return damaged
}

function damageFinding(kind: Kind, damaged: readonly string[]): Finding {
  const named = damaged.slice(0, namedMax).join(', ')
  const more = damaged.length > namedMax ? ` and ${damaged.length - namedMax} more` : ''
  return {
    outcome: 'problem',
    sentence: `${damaged.length} rows of ${kind} cannot be read, and lists and jobs leave them out: ${named}${more}.`,
    mend: 'Restore them from a backup in a directory of its own (crm-server restore FILE), or correct them in the database',
  }
}

/** Reads rows as the service does: one that it cannot read is in no list, and nobody else would say so. */
export const checkRows: Check = {
  subject: 'rows',
  readsRows: true,
  async run({ database: { rows }, isThorough }) {
    if (rows === undefined) return []
    const rowsMax = isThorough ? Number.POSITIVE_INFINITY : sampleMax
    const findings: Finding[] = []
    for (const kind of storedKinds) {
      const damaged = await findDamage(rows, kind, rowsMax)
      if (damaged.length > 0) findings.push(damageFinding(kind, damaged))
    }
    if (findings.length > 0) return findings
    const part = isThorough ? 'Every row' : `The first ${sampleMax} rows of each kind`
    return [{ outcome: 'ok', sentence: `${part} can be read.` }]
  },
}
