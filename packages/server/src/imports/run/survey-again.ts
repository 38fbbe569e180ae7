import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { readAll } from '../../shared/read-all.ts'
import { type ImportFileRecord, newSurvey } from '../../storage/kinds/import-files.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { Stored } from '../../storage/records.ts'

const pageSize = 100

/**
 * Adds to writes of an erasure those by which files forget the words that their surveys have found: a survey that is made again
 * leaves out the rows of the person.
 */
export async function withoutWords(
  store: Pick<TenantReads, 'integrations' | 'importFiles'>,
  writes: readonly Write[],
  now: string,
): Promise<Write[]> {
  const files = await filesWithWords(store)
  const again = new Map(files.map((file) => [file._id, newSurvey(now, file.survey)]))
  const changed = writes.map((write): Write => {
    if (write.kind !== 'importFiles' || !('id' in write)) return write
    const survey = again.get(write.id)
    again.delete(write.id)
    return write.op === 'update' && survey ? { ...write, set: { ...write.set, survey } } : write
  })
  const others = files.flatMap(({ _id: id, version: expectVersion }): Write[] => {
    const survey = again.get(id)
    return survey ? [{ op: 'update', kind: 'importFiles', id, expectVersion, set: { survey } }] : []
  })
  return [...changed, ...others]
}

async function filesWithWords(
  store: Pick<TenantReads, 'integrations' | 'importFiles'>,
): Promise<Stored<ImportFileRecord>[]> {
  const found: Stored<ImportFileRecord>[] = []
  const integrations = readAll<IntegrationRecord>((cursor) =>
    store.integrations.listRows({ page: 1, limit: pageSize, cursor }),
  )
  for await (const { _id: integrationId, provider } of integrations) {
    if (provider !== 'file') continue
    const { rows } = await store.importFiles.listRows({ integrationId, page: 1, limit: pageSize })
    found.push(...rows.filter(({ survey }) => survey?.words.some(({ list }) => list.length > 0)))
  }
  return found
}
