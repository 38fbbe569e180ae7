import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PackageKind, PackageRecord } from '@crmkit/core/package'
import { openPackage } from '@crmkit/core/package-folder'
import { onTestFinished } from 'vitest'

const main = fileURLToPath(new URL('crm.js', process.env['CRM_TEST_PROGRAMS']))

/** A folder that is removed when the test ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crmkit-migrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'package')
}

/** Starts `crm` and kills it without a warning as soon as `isTime` says so; resolves to whether it was killed. */
export async function runKilled(
  args: readonly string[],
  { env, isTime }: { env: Readonly<Record<string, string>>; isTime: () => boolean },
): Promise<boolean> {
  const child = spawn(process.execPath, ['--conditions=@crmkit/source', main, ...args], {
    env: { PATH: process.env['PATH'], HOME: tmpdir(), CRM_KEYRING: 'off', ...env },
    stdio: 'ignore',
  })
  const watch = setInterval(() => isTime() && child.kill('SIGKILL'), 2)
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('exit', (_, signal) => resolve(signal === 'SIGKILL'))
    })
  } finally {
    clearInterval(watch)
  }
}

/** All records of a kind; throws for one that the schema does not allow. */
export async function recordsOf<K extends PackageKind>(folder: string, kind: K): Promise<PackageRecord<K>[]> {
  const records: PackageRecord<K>[] = []
  for await (const line of (await openPackage(folder)).lines(kind)) {
    if (!('record' in line)) throw new Error(`${line.file}, line ${line.line}: ${line.problem}`)
    records.push(line.record)
  }
  return records
}
