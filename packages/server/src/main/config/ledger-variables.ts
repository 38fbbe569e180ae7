import path from 'node:path'
import { z } from 'zod'
import { isObjectAddress, objectAddressForm, objectKey } from './object-address.ts'

/** The settings of the ledger of erasures. */
export interface LedgerConfig {
  /** Its file, or its address in an object store; undefined: none, with MongoDB. */
  erasureLedger: string | undefined
  /** `id:secret` of an access key of the object store. */
  erasureLedgerKey: string | undefined
}

const ledgerRule = `must be a path of a file, or ${objectAddressForm}`

export const ledgerVariables = {
  CRM_ERASURE_LEDGER: z
    .string()
    .refine((text) => isObjectAddress(text) || !/^[a-z][a-z0-9+.-]+:\/\//i.test(text), ledgerRule)
    .optional(),
  CRM_ERASURE_LEDGER_KEY: objectKey,
}

export const ledgerSecrets = ['CRM_ERASURE_LEDGER_KEY'] as const

interface LedgerValues {
  CRM_ERASURE_LEDGER?: string | undefined
  CRM_ERASURE_LEDGER_KEY?: string | undefined
}

export function ledgerProblems({
  CRM_ERASURE_LEDGER: address = '',
  CRM_ERASURE_LEDGER_KEY: key,
}: LedgerValues): string[] {
  if (!isObjectAddress(address) || key !== undefined) return []
  return ['CRM_ERASURE_LEDGER_KEY is required for the object store that CRM_ERASURE_LEDGER names']
}

export const ledgerName = 'erasures.ndjson'

export function ledgerSettings(values: LedgerValues, databaseUrl: string): LedgerConfig {
  const { CRM_ERASURE_LEDGER: setting, CRM_ERASURE_LEDGER_KEY: erasureLedgerKey } = values
  const given = setting === undefined || isObjectAddress(setting) ? setting : path.resolve(setting)
  return { erasureLedger: given ?? ledgerBeside(databaseUrl), erasureLedgerKey }
}

/** The ledger of a database without a setting: the processes of a MongoDB have no directory in common. */
export function ledgerBeside(databaseUrl: string): string | undefined {
  if (!databaseUrl.startsWith('sqlite:')) return undefined
  return path.join(path.dirname(path.resolve(databaseUrl.slice('sqlite:'.length))), ledgerName)
}
