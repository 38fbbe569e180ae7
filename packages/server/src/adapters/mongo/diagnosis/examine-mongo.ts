import type { Connection } from 'mongoose'
import {
  clockFinding,
  type ExaminedDatabase,
  type ExaminedRows,
  type Finding,
} from '../../../ports/diagnosis.ts'
import { pageBytesMax, pageRowsMax } from '../../../storage/transfer.ts'
import type { Database } from '../connection/access.ts'
import { adviceFor } from '../connection/advice.ts'
import { openConnection } from '../connection/connection.ts'
import { schemaVersion } from '../connection/migrate.ts'
import { readSchema } from '../connection/schema-state.ts'
import { createDatabase } from '../connection/scope.ts'
import { findMissing, toTransferRow } from '../transfer/transfer-rows.ts'

interface Hello {
  setName?: string
  primary?: string
  hosts?: readonly string[]
  localTime: Date
}

function examineSet({ setName, primary, hosts = [] }: Hello): Finding {
  if (setName === undefined) return { outcome: 'ok', sentence: 'MongoDB is a sharded cluster.' }
  if (primary === undefined) {
    return {
      outcome: 'problem',
      sentence: `The replica set ${setName} has no primary, so it takes no writes.`,
      mend: 'Start the missing members: a majority of them elects a primary',
    }
  }
  if (hosts.length < 3) {
    return {
      outcome: 'warning',
      sentence: `The replica set ${setName} has ${hosts.length} members, so it does not survive the loss of one.`,
      mend: 'Add members until there are three, in different failure zones (docs/scaling.md)',
    }
  }
  return { outcome: 'ok', sentence: `The replica set ${setName} has ${hosts.length} members and a primary.` }
}

async function examineSchema(database: Database): Promise<Finding> {
  const current = await readSchema(database)
  if (current === schemaVersion)
    return { outcome: 'ok', sentence: `The database has schema ${current}, the newest.` }
  if (current === undefined) {
    return {
      outcome: 'warning',
      sentence: 'The database has no data of crm-server yet: the first start creates its collections.',
      mend: 'Where there was data, set CRM_DATABASE_URL as for the server',
    }
  }
  if (current > schemaVersion) {
    return {
      outcome: 'problem',
      sentence: `The database has schema ${current}, and this version of crm-server knows ${schemaVersion}.`,
      mend: 'Start the newer crm-server that has upgraded the database',
    }
  }
  return {
    outcome: 'warning',
    sentence: `The database has schema ${current}; the next start upgrades it to ${schemaVersion}.`,
    mend: 'crm-server migrate',
  }
}

async function examineSettings(connection: Connection): Promise<Finding[]> {
  const advice = await adviceFor(connection)
  if (advice.length === 0)
    return [{ outcome: 'ok', sentence: 'The settings of MongoDB free the rows of a killed process soon.' }]
  return advice.map(({ sentence, mend }) => ({ outcome: 'warning', sentence, mend }))
}

function rowsOf(database: Database): ExaminedRows {
  const across = database.across()
  const bounds = { rowsMax: pageRowsMax, bytesMax: pageBytesMax }
  return {
    count: (kind) => across.count(kind, {}, Number.MAX_SAFE_INTEGER),
    readPage: async (kind, after) =>
      (await across.page(kind, { ...bounds, after })).map((row) => toTransferRow(kind, row)),
    findMissing: (kind, refs) => findMissing(database, kind, refs),
  }
}

/** Examines a MongoDB without changing it. */
export async function examineMongo(url: string): Promise<ExaminedDatabase> {
  let connection: Connection
  try {
    connection = await openConnection(url)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    // A driver repeats an address that it cannot parse, and it may hold a password.
    const sentence = reason.replaceAll(url, '(the address)')
    const mend = 'Start MongoDB as a replica set and check CRM_DATABASE_URL (docs/scaling.md)'
    return {
      findings: [{ outcome: 'problem', sentence, mend }],
      rows: undefined,
      close: async () => {},
    }
  }
  try {
    const askedMs = Date.now()
    const hello = (await connection.getClient().db('admin').command({ hello: 1 })) as unknown as Hello
    const database = createDatabase(connection)
    const findings = [
      { outcome: 'ok' as const, sentence: 'MongoDB can be reached.' },
      examineSet(hello),
      await examineSchema(database),
      ...(await examineSettings(connection)),
      clockFinding('MongoDB', { remoteMs: hello.localTime.getTime(), localMs: askedMs }),
    ]
    const isBehind = ((await readSchema(database)) ?? schemaVersion) < schemaVersion
    return { findings, isBehind, rows: rowsOf(database), close: () => connection.close() }
  } catch (error) {
    await connection.close()
    throw error
  }
}
