import type {
  ImportFile,
  ImportIssue,
  ImportRun,
  Integration,
  StartImport,
  UpdateImportFile,
  UpdateIntegration,
  UploadImportFile,
} from '@crmkit/sdk'
import type { Crm } from './crm.ts'

// Without the SDK's classes of the areas, as `doors.ts` says.
const path = '/api/extcrm/integrations'
const one = `${path}/{id}`
const run = `${one}/imports/{runId}`

export function readSources({ requester }: Crm): Promise<Integration[]> {
  return requester.call<Integration[]>({ method: 'GET', path }, {})
}

export function readSource({ requester }: Crm, id: string): Promise<Integration> {
  return requester.call<Integration>({ method: 'GET', path: one }, { params: [id] })
}

export function createFileSource({ requester }: Crm, name: string): Promise<Integration> {
  return requester.call<Integration>({ method: 'POST', path }, { body: { provider: 'file', name } })
}

export function updateSource({ requester }: Crm, id: string, body: UpdateIntegration): Promise<Integration> {
  return requester.call<Integration>({ method: 'PUT', path: one }, { params: [id], body })
}

/** Returns the uploaded files with their columns and samples. */
export async function readImportFiles({ requester }: Crm, id: string): Promise<ImportFile[]> {
  const route = { method: 'GET', path: `${one}/files` } as const
  const { data } = await requester.list<ImportFile>(route, { params: [id] })
  const file = { method: 'GET', path: `${one}/files/{fileId}` } as const
  return Promise.all(data.map(({ _id }) => requester.call<ImportFile>(file, { params: [id, _id] })))
}

export function uploadImportFile(
  { requester }: Crm,
  id: string,
  file: File,
  body: UploadImportFile,
): Promise<ImportFile> {
  const route = { method: 'POST', path: `${one}/files`, isRepeatable: false } as const
  return requester.call<ImportFile>(route, { params: [id], file, body })
}

export function updateImportFile(
  { requester }: Crm,
  id: string,
  fileId: string,
  body: UpdateImportFile,
): Promise<ImportFile> {
  const route = { method: 'PUT', path: `${one}/files/{fileId}` } as const
  return requester.call<ImportFile>(route, { params: [id, fileId], body })
}

/** Returns the id of the run. */
export async function startImport({ requester }: Crm, id: string, body: StartImport): Promise<string> {
  const route = { method: 'POST', path: `${one}/import` } as const
  return (await requester.call<{ runId: string }>(route, { params: [id], body })).runId
}

export async function cancelImport({ requester }: Crm, id: string): Promise<void> {
  await requester.call({ method: 'POST', path: `${one}/import/cancel` }, { params: [id] })
}

/** Returns the latest 20. */
export async function readRuns({ requester }: Crm, id: string): Promise<readonly ImportRun[]> {
  const route = { method: 'GET', path: `${one}/imports` } as const
  return (await requester.list<ImportRun>(route, { params: [id], query: { limit: 20 } })).data
}

export function readRun({ requester }: Crm, id: string, runId: string): Promise<ImportRun> {
  return requester.call<ImportRun>({ method: 'GET', path: run }, { params: [id, runId] })
}

/** Returns the first 100. */
export async function readIssues(
  { requester }: Crm,
  { integrationId, _id }: ImportRun,
): Promise<readonly ImportIssue[]> {
  const route = { method: 'GET', path: `${run}/errors` } as const
  const query = { limit: 100 }
  return (await requester.list<ImportIssue>(route, { params: [integrationId, _id], query })).data
}

/** The rows of a file that were not imported, as CSV. */
export async function readRejected(
  { requester }: Crm,
  { integrationId, _id }: ImportRun,
  module: string,
): Promise<Blob> {
  const route = { method: 'GET', path: `${run}/rejected` } as const
  const input = { params: [integrationId, _id], query: { module } }
  return (await requester.download(route, input)).blob()
}

export async function undoImport({ requester }: Crm, { integrationId, _id }: ImportRun): Promise<void> {
  await requester.call({ method: 'POST', path: `${run}/undo` }, { params: [integrationId, _id] })
}
