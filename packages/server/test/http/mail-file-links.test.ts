import { beforeAll, expect, test } from 'vitest'
import { findMailTags } from '../../src/mail/addresses/mail-key.ts'
import { splitFiles } from '../../src/mail/out/file-links.ts'
import { createSecretBox } from '../../src/security/secret-box.ts'
import { upload } from '../support/call.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { mailTo, textOf } from '../support/system-mail.ts'
import { useService } from '../support/use-service.ts'

const secretsKey = 'the key of these tests which is long enough'
const megabyte = 1024 * 1024
const baseUrl = 'https://crm.acme.test'
const service = useService({ CRM_SECRETS_KEY: secretsKey, CRM_BASE_URL: baseUrl })
let inbox: MailInbox
let mailed: Promise<{ raw: string; linkPath: string; linkedId: string }> | undefined
beforeAll(async () => {
  inbox = await makeMailInbox(service)
})

/** Sends one mail with 26.5 MB of files, for all tests. */
function largeMail() {
  mailed ??= sendLarge()
  return mailed
}

async function sendLarge() {
  const attachments = [await fileOf('small.bin', 10), await fileOf('a.bin', 8 * megabyte)]
  const linkedId = await fileOf('the <large> & one.bin', 9.5 * megabyte)
  attachments.push(linkedId, await fileOf('b.bin', 9 * megabyte))
  const { conversationId } = await inbox.receive({ from: 'ada@example.com' })
  const made = await inbox.reply(conversationId, { attachments })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const status = async () => (await inbox.messageOf(made.body.data._id)).status
  await expect.poll(status).toBe('sent')
  const raw = (await mailTo(service.url, 'ada@example.com'))[0]?.raw ?? ''
  const linkPath = /https:\/\/crm\.acme\.test(\/files\/[\w/.]+)/.exec(headOf(raw))?.[1] ?? ''
  return { raw, linkPath, linkedId }
}

async function fileOf(name: string, size: number, token = inbox.owner.token): Promise<string> {
  const file = new File([Buffer.alloc(size, name)], name)
  return (await upload(service.url, { token, file }))._id
}

/** The texts of a mail, which come before its files. */
const headOf = (mail: string) => textOf(mail.split('Content-Disposition: attachment')[0] ?? '')
const get = (path: string, method = 'GET') => fetch(service.url + path, { method })
const tagsOf = async ({ store }: MailInbox) => {
  const tags = await findMailTags(store, createSecretBox([secretsKey]))
  if (tags === undefined) throw new Error('the tenant has no mail key')
  return tags
}

async function signedPath(by: MailInbox, id: string, endsInSeconds: number, tenantId = by.owner.tenant._id) {
  const endsAt = Math.floor(Date.now() / 1000) + endsInSeconds
  return `/files/${tenantId}/${id}/${endsAt}.${(await tagsOf(by)).linkTag(id, endsAt)}`
}

test('of more than 20 MB the largest files are links in the text and in the HTML, and the others are in the mail [own.mail.links]', async () => {
  const { raw } = await largeMail()
  expect(
    [...raw.matchAll(/^Content-Disposition: attachment; filename=(\S+)/gim)].map(([, name]) => name),
  ).toEqual(['small.bin', 'a.bin', 'b.bin'])
  const head = headOf(raw)
  const day = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString().slice(0, 10)
  expect(head).toContain(`Files to download until ${day}:`)
  expect(head).toMatch(/the _large_ & one\.bin \(9\.5 MB\): https:\/\/crm\.acme\.test\/files\//)
  expect(head).toMatch(
    /<li><a href="https:\/\/crm\.acme\.test\/files\/[^"]+">the _large_ &amp; one\.bin<\/a>/,
  )
})

test('a link returns the file as a download, without any other credential', async () => {
  const { linkPath } = await largeMail()
  const response = await get(linkPath)
  expect(response.status).toBe(200)
  expect((await response.arrayBuffer()).byteLength).toBe(9.5 * megabyte)
  expect(response.headers.get('content-disposition')).toMatch(/^attachment/)
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  const head = await get(linkPath, 'HEAD')
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(9.5 * megabyte)])
  expect((await get(linkPath, 'POST')).status).toBe(405)
})

test('a link that was changed, made up by another tenant, or has ended is 404 [own.mail.links]', async () => {
  const { linkPath, linkedId } = await largeMail()
  const other = await makeMailInbox(service)
  const theirs = await fileOf('theirs.bin', 10, other.owner.token)
  const [, , tenantId, id, tag = ''] = linkPath.split('/')
  const [endsAt, mac = ''] = tag.split('.')
  const flipped = `${mac.slice(0, -1)}${mac.endsWith('a') ? 'b' : 'a'}`
  const paths = [
    `/files/${tenantId}/${id}/${endsAt}.${flipped}`,
    `/files/${tenantId}/${id}/${Number(endsAt) + 1}.${mac}`,
    `/files/${tenantId}/${theirs}/${endsAt}.${mac}`,
    `/files/${other.owner.tenant._id}/${id}/${endsAt}.${mac}`,
    `/files/${tenantId}/${id}`,
    '/files/',
    `/files/${tenantId}/..%2f${id}/${endsAt}.${mac}`,
    await signedPath(inbox, linkedId, -1),
    // Signed by a tenant for a file of another one: the signature is right, and the file is not theirs.
    await signedPath(other, linkedId, 60),
    await signedPath(inbox, theirs, 60),
    await signedPath(other, theirs, 60, tenantId),
  ]
  for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 404])
  expect((await get(await signedPath(inbox, linkedId, 60))).status).toBe(200)
  expect((await get(await signedPath(other, theirs, 60))).status).toBe(200)
})

test('a link to the raw bytes of a mail is 404, and so is one of a suspended tenant', async () => {
  const other = await makeMailInbox(service)
  const mail = await other.receive()
  const row = await other.store.inboundMails.find(mail['_id'] ?? '')
  expect((await get(await signedPath(other, row?.attachmentId ?? '', 60))).status).toBe(404)
  const file = await signedPath(other, await fileOf('theirs.bin', 10, other.owner.token), 60)
  expect((await get(file)).status).toBe(200)
  const { system } = service.service.storage
  const { _id: id } = other.owner.tenant
  const { version = 0 } = (await system.findTenant(id)) ?? {}
  const set = { isSuspended: true }
  const writes = [{ op: 'update', kind: 'tenants', id, expectVersion: version, set } as const]
  await system.commit(id, { writes, events: [] })
  await expect.poll(async () => (await get(file)).status).toBe(404)
})

test('files that fit together stay in the mail', () => {
  const sizes = (files: readonly { size: number }[]) => files.map(({ size }) => size / megabyte)
  const files = [6, 7, 7].map((size) => ({ size: size * megabyte }))
  expect(splitFiles(files)).toEqual({ attached: files, linked: [] })
  const { attached, linked } = splitFiles([...files, { size: 1 }, { size: 7 * megabyte }])
  expect([sizes(attached), sizes(linked)]).toEqual([
    [6, 1 / megabyte, 7],
    [7, 7],
  ])
})
