import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { strayFields, strayRequest, type VendorDocument } from '../../../test/support/vendor-documents.ts'
import { openZoho } from '../../../test/support/zoho-account.ts'
import { sourceModules } from '../../ports/connector.ts'

interface ZohoDocument extends VendorDocument {
  readonly errors: Readonly<Record<string, readonly string[]>>
}

const file = new URL('../../../../../examples/zoho-emulator/fields.json', import.meta.url)
const document = JSON.parse(readFileSync(file, 'utf8')) as ZohoDocument
const signal = new AbortController().signal
const counts = {
  Accounts: 2,
  Contacts: 3,
  Leads: 2,
  Deals: 2,
  Cases: 2,
  Notes: 3,
  Calls: 2,
  Events: 2,
  Tasks: 2,
}
const v8 = '/crm/v8'

const replies = [
  ['/org', 200, 'Organisation'],
  ['/settings/modules', 200, 'Modules'],
  ['/settings/fields?module=Deals', 200, 'Fields'],
  ['/Contacts?fields=Last_Name&per_page=1', 200, 'Records'],
  ['/Contacts/deleted?type=all', 200, 'Deleted'],
  ['/Contacts/actions/fetch_full_data?ids=ID&fields=Rich_Text', 200, 'FullData'],
  ['/Notes?fields=Note_Title,Note_Content,Parent_Id,Owner,Created_Time,Modified_Time', 200, 'Notes'],
  ['/Deals/ID/Notes?fields=Note_Title,Parent_Id', 200, 'Notes'],
  ['/Contacts', 400, 'Error'],
  ['/Contacts?fields=Last_Name&page=11', 400, 'Error'],
  ['/Contacts?fields=Last_Name&page_token=x', 400, 'Error'],
  ['/Contacts/actions/fetch_full_data', 400, 'Error'],
  ['/settings/fields?module=Unknown', 400, 'Error'],
  ['/Unknown', 404, 'Error'],
] as const

test('the replies of the Zoho emulator have the fields and the codes of the vendor’s document, and no others', async () => {
  const { emulator } = await openZoho({ counts, richTextLength: 600 })
  const contacts = emulator.api.dataset('Contacts')
  contacts.delete(contacts.idOf(2))
  const token = emulator.oauth.newRefreshToken()
  const form = {
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: emulator.clientId,
    client_secret: emulator.clientSecret,
  }
  const grant = await fetch(`${emulator.url}/oauth/v2/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const headers = {
    Authorization: `Zoho-oauthtoken ${((await grant.json()) as { access_token: string }).access_token}`,
  }
  const codes = Object.values(document.errors).flat()
  for (const [path, status, schema] of replies) {
    const id = path.startsWith('/Deals') ? emulator.api.dataset('Deals').idOf(0) : contacts.idOf(0)
    const response = await fetch(`${emulator.url}${v8}${path.replace('ID', id)}`, { headers })
    const body = (await response.json()) as { code?: string }
    expect([path, response.status, strayFields(document, schema, body)]).toEqual([path, status, []])
    if (status !== 200) expect([path, codes]).toEqual([path, expect.arrayContaining([body.code])])
  }
})

/** The names that the documents leave out, and the vendor's pages or its replies have. */
const beyond = [
  // Its page of notes lists the token that this request takes, and the list of parameters forgets it.
  'GET /crm/v8/Notes: page_token is in no document',
]

test('the requests of the Zoho connector have the paths and the names of the vendor’s document', async () => {
  const { connection, emulator } = await openZoho({ counts, richTextLength: 600, customFields: 60 })
  await connection.identify(signal)
  await connection.modules?.(signal)
  const modules = sourceModules.filter((module) => !connection.lacks?.includes(module))
  for (const module of modules) {
    const window = { since: null, before: null }
    await connection.count(module, window, signal)
    for await (const page of connection.pages(module, { window, from: null, signal }))
      await connection.byIds(
        module,
        page.records.map(({ id }) => id),
        signal,
      )
    for await (const _ of connection.deleted(module, '2026-01-01T00:00:00.000Z', signal));
  }
  const byNotes = await openZoho({ counts, isAdmin: false })
  for await (const _ of byNotes.connection.pages('Notes', {
    window: { since: null, before: null },
    from: null,
    signal,
  }));
  const asked = [...emulator.log, ...byNotes.emulator.log].filter(({ path }) => path.startsWith('/crm/'))
  expect(asked.length).toBeGreaterThan(40)
  const strays = asked.flatMap((request) => strayRequest(document, request))
  expect(strays.filter((stray) => !beyond.includes(stray))).toEqual([])
})

test('activities of Zoho are asked for the module of their record, which no list of fields has', async () => {
  const { connection, emulator } = await openZoho({ counts })
  for (const module of ['Calls', 'Events', 'Tasks'] as const) {
    const described = await connection.describe(module, signal)
    expect(described.map(({ apiName }) => apiName)).not.toContain('$se_module')
    for await (const page of connection.pages(module, {
      window: { since: null, before: null },
      from: null,
      signal,
    }))
      expect(page.records.map(({ parent }) => parent?.module)).toEqual(['Deals', 'Deals'])
  }
  const lists = emulator.log.filter(({ path }) => /\/(Calls|Events|Tasks)$/.test(path))
  for (const { query } of lists) expect(query['fields']?.split(',')).toContain('$se_module')
})
