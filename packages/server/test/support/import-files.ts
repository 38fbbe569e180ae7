import { expect } from 'vitest'
import type { Storage } from '../../src/ports/storage.ts'
import type { IntegrationRecord } from '../../src/storage/kinds/integrations.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { call, registerTenant } from './call.ts'

const base = '/api/extcrm/integrations'

interface Issue {
  row: number
  code: string
  column: string | null
  message: string
  count: number
  details: { candidates: string[] } | null
}

type Owner = Pick<Awaited<ReturnType<typeof registerTenant>>, 'token' | 'tenant'>

/** A tenant with an integration for files. */
export async function newFileTenant(url: string, given?: Owner) {
  const { token, tenant } = given ?? (await registerTenant(url))
  const send = (method: string, path: string, body?: unknown) => call(url, { method, path, token, body })
  const { body } = await send('POST', base, { provider: 'file' })
  const integrationId: string = body.data._id
  const path = `${base}/${integrationId}`
  const upload = (
    module: string,
    content: string | Buffer,
    name = 'rows.csv',
    fields: Readonly<Record<string, string>> = {},
  ) =>
    call(url, {
      method: 'POST',
      path: `${path}/files`,
      token,
      form: {
        module,
        ...fields,
        file: new File([typeof content === 'string' ? content : new Uint8Array(content)], name),
      },
    })

  /** Uploads an archive with a table for each module. */
  const uploadAll = (archive: Buffer, name = 'export.zip', fields: Readonly<Record<string, string>> = {}) =>
    call(url, {
      method: 'POST',
      path: `${path}/files`,
      token,
      form: { ...fields, file: new File([new Uint8Array(archive)], name) },
    })

  /** Waits for the active run, and returns it with everything that it left. */
  async function finished() {
    // biome-ignore lint/suspicious/noExplicitAny: the body of a response.
    let status: any
    const poll = async () => {
      status = (await send('GET', `${path}/import/status`)).body.data
      return status.syncStatus
    }
    await expect.poll(poll, { timeout: 110_000 }).toMatch(/^(idle|failed)$/)
    const listIssues = (query: string) => send('GET', `${path}/imports/${status.run._id}/errors${query}`)
    const { status: end, balance } = status.run
    if (end === 'completed' || end === 'completed_with_errors') expect(balance?.closes ?? true).toBe(true)
    const issues: Issue[] = (await listIssues('?limit=100')).body.data
    const rowsOf = async (list: string) => (await send('GET', list)).body.data
    return {
      run: status.run,
      listIssues,
      // A page writes its errors at one moment.
      issues: issues.toSorted((a, b) => a.row - b.row || a.code.localeCompare(b.code)),
      customers: await rowsOf('/api/v1/customers?limit=100&sort=createdAt'),
      conversations: await rowsOf('/api/v1/conversations?limit=100&sort=createdAt'),
    }
  }

  return {
    path,
    send,
    tenant,
    token,
    upload,
    uploadAll,
    finished,
    async importText(module: string, content: string | Buffer, name?: string, choices: object = {}) {
      const file = await upload(module, content, name)
      expect(file.status).toBe(201)
      await send('POST', `${path}/import`, choices)
      return { file: file.body.data, ...(await finished()) }
    },
    async importUploaded() {
      await send('POST', `${path}/import`, {})
      return finished()
    },
    async retry() {
      const { body } = await send('GET', `${path}/import/status`)
      await send('POST', `${path}/imports/${body.data.run._id}/retry`)
      return finished()
    },
    /** Stores a mapping that no request can make: each reading of a row throws a program error. */
    async breakMapping({ forTenant }: Pick<Storage, 'forTenant'>) {
      const store = forTenant(tenant._id as TenantId)
      const found = await store.integrations.find(integrationId)
      if (!found) throw new Error('there is no such integration')
      const mapping: IntegrationRecord['mapping'] = JSON.parse('{"Contacts":{"Note":7}}')
      const { version: expectVersion } = found
      await store.commit({
        writes: [{ op: 'update', kind: 'integrations', id: integrationId, expectVersion, set: { mapping } }],
        events: [],
      })
    },
  }
}
