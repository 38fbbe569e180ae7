import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isArchiveName, openPackage, unpackArchive } from '@crmkit/core/package-folder'
import { expect, onTestFinished, test } from 'vitest'
import { more } from '../../../console/src/strings/more.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { call, password, registerTenant, upload } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { joinAs, openConsole, signIn, violationsOf, writeAsCustomer } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// An owner takes the whole team along without a terminal: the archive is read by the library that imports use.

const running = useService()
const browser = useBrowser()
const texts = more.team.export

/** A team with a conversation whose messages have a file each. */
async function makeTeam() {
  const owner = await registerTenant(running.url)
  const { token } = owner
  const id = await writeAsCustomer(running.url, token, { subject: 'A lamp', content: 'Είναι σπασμένη.' })
  const files = [randomBytes(300_000), Buffer.from('a file that is removed')]
  const ids: string[] = []
  for (const bytes of files) {
    const { _id } = await upload(running.url, { token, file: new File([bytes], 'λάμπα.bin') })
    const body = { content: 'See the file', attachments: [_id] }
    const messagesPath = `/api/v1/conversations/${id}/messages`
    const sent = await call(running.url, { method: 'POST', path: messagesPath, token, body })
    expect(sent.status).toBe(201)
    ids.push(_id)
  }
  return { owner, token, bytes: files[0] as Buffer, removed: ids[1] as string }
}

async function openTeam(email: string) {
  const opened = await openConsole(browser, `${running.url}/console/settings/team`)
  await signIn(opened.page, email)
  return opened
}

test('an owner downloads an archive of the team that an import can read, and a wrong password begins nothing', async () => {
  const { owner, token, bytes, removed } = await makeTeam()
  const { page, complaints } = await openTeam(owner.email)
  const secret = page.getByLabel(more.settings.profile.currentPassword)
  await secret.fill('a wrong password')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  expect((await call(running.url, { path: '/api/tenant/exports', token })).body.data).toEqual([])
  await secret.fill(password)
  await page.keyboard.press('Enter')
  const row = page.getByRole('region', { name: texts.list }).getByRole('row').last()
  await row.getByText(texts.states.ready).waitFor()
  expect(await secret.inputValue()).toBe('')
  expect(await violationsOf(page)).toEqual([])

  // The team keeps files for some months: one that is removed meanwhile is no part any more.
  const store = running.service.storage.forTenant(owner.tenant._id as TenantId)
  const file = await store.attachments.find(removed)
  const set = { erasedAt: new Date().toISOString() }
  const expectVersion = file?.version ?? 0
  await store.commit({
    writes: [{ op: 'update', kind: 'attachments', id: removed, expectVersion, set }],
    events: [],
  })
  const downloading = page.waitForEvent('download')
  await row.getByRole('button', { name: texts.download }).click()
  const archive = await downloading
  await row.getByText(texts.missing(1)).waitFor()
  expect(archive.suggestedFilename()).toMatch(/^\w+\.crmkit\.zip$/)
  expect(isArchiveName(archive.suggestedFilename())).toBe(true)

  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-export-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await unpackArchive(await archive.path(), path.join(folder, 'package'))
  const unpacked = await openPackage(path.join(folder, 'package'))
  await unpacked.verify()
  expect(unpacked.manifest.counts['conversations']?.total).toBe(1)
  const paths: string[] = []
  for await (const name of unpacked.bytesPaths()) paths.push(name)
  expect(paths.map((name) => readFileSync(unpacked.path(name)))).toContainEqual(bytes)
  expect(complaints.filter((text) => !/\b(404|422)\b/.test(text))).toEqual([])
})

test('an admin is offered no export', async () => {
  const { owner, token } = await makeTeam()
  const { page } = await openTeam(await joinAs(running.url, token, 'admin'))
  await page.getByLabel(more.team.name).waitFor()
  expect(await page.getByRole('heading', { name: texts.title }).count()).toBe(0)
  const { page: theirs } = await openTeam(owner.email)
  await theirs.getByRole('heading', { name: texts.title }).waitFor()
})
