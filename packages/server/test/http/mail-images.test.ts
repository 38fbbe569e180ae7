import { beforeEach, expect, test } from 'vitest'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

const service = useService()
let inbox: MailInbox
beforeEach(async () => {
  inbox = await makeMailInbox(service)
})

const png = Buffer.from('89504e470d0a1a0a', 'hex')

/** Delivers HTML with two images, `lamp@1` and `a b@2`, and a PDF, and returns the message. */
async function receiveHtml(html: string, headers: readonly string[] = []) {
  const file = (headers: readonly string[], bytes: Buffer) =>
    ['--b', ...headers, 'Content-Transfer-Encoding: base64', '', bytes.toString('base64')].join('\r\n')
  const mail = await inbox.receive({
    headers: [...headers, 'MIME-Version: 1.0', 'Content-Type: multipart/related; boundary=b'],
    text: [
      `--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}`,
      file(['Content-Type: image/png; name=lamp.png', 'Content-ID: <lamp@1>'], png),
      file(['Content-Type: image/png; name=other.png', 'Content-ID: <a%b@2>'], png),
      file(['Content-Type: application/pdf; name=log.pdf', 'Content-ID: <log@3>'], Buffer.from('a log')),
      '--b--',
    ].join('\r\n'),
  })
  expect(mail).toMatchObject({ status: 'processed' })
  return inbox.messageOf(mail['messageId'] ?? '')
}

const sourcesOf = (html: string) => [...html.matchAll(/<img [^>]*src="([^"]*)"/g)].map(([, src = '']) => src)

test('an image inside a mail is an attachment, and the content shows it by its URL [own.mail.images]', async () => {
  const message = await receiveHtml(
    '<p>My lamp: <img width=20 height="9em" alt="<b>" onload=x() src="cid:lamp@1"></p><p><img src="CID:a%25b@2"></p>',
  )
  const [lamp, other, log] = message.attachments
  expect(message.attachments).toMatchObject([
    { filename: 'lamp.png', isInline: true, contentId: 'lamp@1' },
    { filename: 'other.png', isInline: true, contentId: 'a%b@2' },
    { filename: 'log.pdf', isInline: false, contentId: 'log@3' },
  ])
  expect(message.content).toBe(
    `<p>My lamp: <img src="${lamp.url}" alt="&lt;b&gt;" width="20" /></p><p><img src="${other.url}" alt="" /></p>`,
  )
  expect(log.url).not.toBe(lamp.url)
  const file = await fetch(service.url + lamp.url, {
    headers: { Authorization: `Bearer ${inbox.owner.token}` },
  })
  expect(Buffer.from(await file.arrayBuffer())).toEqual(png)
  expect(file.headers.get('content-disposition')).toMatch(/^attachment/)
})

test('an image inside a mail is read by its tenant alone [own.mail.images]', async () => {
  const { attachments } = await receiveHtml('<img src="cid:lamp@1">')
  const stranger = await makeMailInbox(service)
  expect((await stranger.ask('GET', attachments[0].url)).status).toBe(404)
  expect((await fetch(service.url + attachments[0].url)).status).toBe(401)
})

test('no other image stays: of the web, of another mail, of a file that is no image, or named by a made-up URL [own.mail.images]', async () => {
  const theirs = await receiveHtml('<img src="cid:lamp@1">')
  const made = `/api/v1/attachments/att_${'0'.padStart(26, '-')}`
  const message = await receiveHtml(
    [
      'Words',
      '<img src="https://tracker.example.com/1.gif">',
      '<img src="//tracker.example.com/1.gif">',
      `<img src="${theirs.attachments[0].url}">`,
      `<img src="${made}">`,
      `&lt;img src="${made}"`,
      '<img src="cid:log@3"><img src="cid:missing"><img src="cid:"><img src="cid:%ff">',
      '<img src="data:image/svg+xml;base64,AAAA"><img src="javascript:x()"><img srcset="cid:lamp@1"><img>',
      '<svg><image href="cid:lamp@1"></svg><table background="cid:lamp@1"></table>',
    ].join(''),
  )
  expect(sourcesOf(message.content)).toEqual([])
  // An image of the web keeps its address in an attribute that loads nothing.
  const remote = '<img data-remote="https://tracker.example.com/1.gif" alt="" />'
  expect(message.content.split(remote)).toHaveLength(3)
  expect(message.content.replaceAll(remote, '')).not.toContain('tracker')
  expect(message.content).toContain(`&lt;img src="${made}"`)
  expect(message.attachments.map(({ isInline }: { isInline: boolean }) => isInline)).toEqual([
    false,
    false,
    false,
  ])
})

test('an image between quotations, or alone, is the words of a customer', async () => {
  const question = 'Which lamp is it, and where do you live?'
  const { conversationId } = await inbox.receive()
  const { body } = await inbox.reply(conversationId, { content: question })
  const reply = [`In-Reply-To: <${body.data.email.messageId}>`]
  const own = '<p><img src="cid:lamp@1"></p>'
  const below = `<blockquote>${question}</blockquote>`
  const { content, email, attachments } = await receiveHtml(`${own}${below}`, reply)
  expect(content.slice(0, email.quotedFrom)).toBe(`<p><img src="${attachments[0].url}" alt="" /></p>`)
  expect(content.slice(email.quotedFrom)).toBe(below)
  const above = await receiveHtml(`<p>See</p>${below}${own}`, reply)
  expect(above.email).toMatchObject({ quotedFrom: null, quoted: [{ messageId: body.data._id }] })
})

test('a mail of many images is cut at a whole tag, and each image that is left has its URL', async () => {
  const message = await receiveHtml(`<p>${'<img src="cid:lamp@1">'.repeat(3_000)}</p>`)
  expect(message.email.truncated).toBe(true)
  expect(message.content.length).toBeLessThanOrEqual(65_536)
  const sources = sourcesOf(message.content)
  expect(sources.length).toBeGreaterThan(500)
  expect(new Set(sources)).toEqual(new Set([message.attachments[0].url]))
})
