import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { useWidget } from './support/use-widget.ts'
import { agentOf, type Inbox, makeInbox, ownLines, pageWith, visit } from './support/widget-browser.ts'

const world = useWidget()
let inbox: Inbox
beforeAll(async () => {
  inbox = await makeInbox(world.service.url)
})

const bubbleOf = (page: Page) => page.getByRole('button', { name: 'Open chat' })
/** A page without the snippet. */
const pageWithout = (body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A shop</title></head><body>${body}</body></html>`
const policyOf = (frameSource: string) => ({
  'content-security-policy': `default-src 'none'; script-src ${world.service.url}; connect-src ${world.service.url}; frame-src ${frameSource}`,
})

test('the widget works under a strict policy of the page that allows the service alone', async () => {
  const html = pageWith({ url: world.service.url, key: inbox.key })
  const visitor = await visit(world.browser, world.pages.add(html, policyOf(world.service.url)))
  await visitor.open()
  await visitor.write('Under a strict policy')
  const box = await visitor.page.locator('iframe[title="Chat"]').boundingBox()
  expect(box?.width).toBeGreaterThan(300)
  expect(visitor.lines).toEqual([])
})

test('a policy that forbids the frame is named in one line of the console', async () => {
  const html = pageWith({ url: world.service.url, key: inbox.key })
  const visitor = await visit(world.browser, world.pages.add(html, policyOf("'none'")))
  await bubbleOf(visitor.page).click()
  await expect
    .poll(() => ownLines(visitor))
    .toEqual([
      `crmkit chat widget: the page's Content-Security-Policy blocks it: add ${world.service.url} to frame-src`,
    ])
})

test('the widget works in a page that is isolated by its embedder policy', async () => {
  const headers = {
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-opener-policy': 'same-origin',
  }
  const visitor = await visit(
    world.browser,
    world.pages.add(pageWith({ url: world.service.url, key: inbox.key }), headers),
  )
  expect(await visitor.page.evaluate('crossOriginIsolated')).toBe(true)
  await visitor.open()
  await visitor.write('Isolated')
  expect(visitor.lines).toEqual([])
})

test.each([
  ['any policy', "require-trusted-types-for 'script'"],
  ['the policy crmkit alone', "require-trusted-types-for 'script'; trusted-types crmkit"],
  ['no policy, but requires none', "trusted-types 'none'"],
])('the widget works in a page with Trusted Types that allows %s', async (_, header) => {
  const html = pageWith({ url: world.service.url, key: inbox.key })
  const visitor = await visit(world.browser, world.pages.add(html, { 'content-security-policy': header }))
  await visitor.open()
  await visitor.write('Trusted')
  expect(ownLines(visitor)).toEqual([])
})

test('a page with Trusted Types that forbids the policy gets one line of the console, which names it', async () => {
  const header = "require-trusted-types-for 'script'; trusted-types own"
  const html = pageWith({ url: world.service.url, key: inbox.key })
  const visitor = await visit(world.browser, world.pages.add(html, { 'content-security-policy': header }))
  await expect
    .poll(() => ownLines(visitor))
    .toEqual([
      "crmkit chat widget: the page's Content-Security-Policy blocks it: add crmkit to trusted-types",
    ])
  expect(await visitor.page.locator('crm-widget').count()).toBe(0)
})

test.each(['async', 'type="module"'])(
  'the widget works under a policy of nonces alone, by a script that is %s',
  async (kind) => {
    const script = `<script ${kind} nonce="n0nce" src="${world.service.url}/widget/v1.js" data-key="${inbox.key}"></script>`
    const header = {
      'content-security-policy': "script-src 'nonce-n0nce'; object-src 'none'; base-uri 'none'",
    }
    const visitor = await visit(world.browser, world.pages.add(pageWithout(script), header))
    await visitor.open()
    await visitor.write('By a nonce')
    expect(visitor.lines).toEqual([])
  },
)

test('the open chat and its text stay when an app replaces the body or removes the host', async () => {
  const visitor = await visit(
    world.browser,
    world.pages.add(pageWith({ url: world.service.url, key: inbox.key })),
  )
  await visitor.open()
  const field = visitor.chat.getByRole('textbox', { name: 'Message' })
  await visitor.type('Half a sentence')
  await visitor.page.evaluate(`document.body = document.createElement('body')`)
  expect(await field.inputValue()).toBe('Half a sentence')
  await visitor.write('After the swap')
  await visitor.page.evaluate(`document.querySelector('crm-widget').remove()`)
  await visitor.page.locator('iframe[title="Chat"]').waitFor()
  await visitor.write('After the removal')
  expect(await visitor.page.locator('iframe').count()).toBe(1)
})

test('the snippet twice is one widget, and calls before the script has come are made in their order', async () => {
  const body = `<script>
    window.CRMWidget = window.CRMWidget || function () { (CRMWidget.q = CRMWidget.q || []).push(arguments) }
    window.queueing = CRMWidget; window.counts = []
    CRMWidget('on', 'unread', (count) => counts.push(count)); CRMWidget('open')
  </script><script async src="${world.service.url}/widget/v1.js" data-key="${inbox.key}"></script>`
  const visitor = await visit(
    world.browser,
    world.pages.add(pageWith({ url: world.service.url, key: inbox.key, body })),
  )
  await visitor.chat.getByRole('textbox', { name: 'Message' }).waitFor()
  expect(await visitor.page.locator('crm-widget').count()).toBe(1)
  expect(await visitor.page.evaluate('counts')).toEqual([0])
  // A page that holds the function of the snippet is heard too.
  await visitor.page.evaluate(`queueing('close')`)
  await expect.poll(() => bubbleOf(visitor.page).getAttribute('aria-expanded')).toBe('false')
})

test('the key in the address of the script is enough, because tag managers drop its other attributes', async () => {
  const body = `<script>(() => {
    const script = document.createElement('script')
    script.src = '${world.service.url}/widget/v1.js?key=${inbox.key}'
    document.head.append(script)
  })()</script>`
  const visitor = await visit(world.browser, world.pages.add(pageWithout(body)))
  await visitor.open()
  await visitor.write('By a tag manager')
  expect(visitor.lines).toEqual([])
})

test.each([
  ['a script of the page', (address: string) => `import '${address}'`],
  ['a part of an app that is loaded later', (address: string) => `await import('${address}')`],
])('the widget works when %s imports it as a module', async (_, code) => {
  const script = `<script type="module">${code(`${world.service.url}/widget/v1.js?key=${inbox.key}`)}</script>`
  const visitor = await visit(world.browser, world.pages.add(pageWithout(script)))
  await visitor.open()
  await visitor.write('By an import')
  expect(visitor.lines).toEqual([])
})

const queue =
  'window.CRMWidget = window.CRMWidget || function () { (CRMWidget.q = CRMWidget.q || []).push(arguments) }'
const bare = () => `<script async src="${world.service.url}/widget/v1.js"></script>`

test('a page boots the widget by a call before the script has come, and the calls after it are heard', async () => {
  const body = `<script>${queue}; CRMWidget('boot', { key: '${inbox.key}' }); CRMWidget('open')</script>${bare()}`
  const visitor = await visit(world.browser, world.pages.add(pageWithout(body)))
  await visitor.write('Booted early')
  // An app repeats the call on each of its world.pages.
  await visitor.page.evaluate(`CRMWidget('boot', { key: '${inbox.key}' })`)
  expect(visitor.lines).toEqual([])
  await visitor.page.evaluate(`CRMWidget('boot', { key: 'wpk_other' })`)
  await expect.poll(() => ownLines(visitor)).toHaveLength(1)
  expect(ownLines(visitor)[0]).toContain('wpk_other')
})

test.each([
  ['the function of the page', `<script>${queue}; window.call = CRMWidget</script>`],
  ['the function of the script', ''],
])('a script without a key says so, draws nothing and waits for the call: by %s', async (_, before) => {
  const visitor = await visit(world.browser, world.pages.add(pageWithout(before + bare())))
  await expect.poll(() => ownLines(visitor)).toHaveLength(1)
  expect(ownLines(visitor)[0]).toContain(`CRMWidget('boot', { key })`)
  expect(await visitor.page.locator('crm-widget').count()).toBe(0)
  await visitor.page.evaluate(`{
    const call = window.call ?? CRMWidget
    for (const wrong of [[], ['boot'], ['boot', {}], ['boot', null]]) call(...wrong)
    call('open'); call('boot', { key: '${inbox.key}' })
  }`)
  await visitor.write('Booted late')
})

test('a wrong call of the page returns, warns and breaks nothing', async () => {
  const visitor = await visit(
    world.browser,
    world.pages.add(pageWith({ url: world.service.url, key: inbox.key })),
  )
  await bubbleOf(visitor.page).waitFor()
  const results = await visitor.page.evaluate(`[
    CRMWidget('dance'), CRMWidget(), CRMWidget('on', 'constructor', () => 1), CRMWidget('identify'),
    CRMWidget('on', 'unread', () => { throw new Error('of the page') }),
  ].map((result) => typeof result)`)
  expect(results).toEqual(Array(5).fill('undefined'))
  expect(ownLines(visitor)).toHaveLength(4)
  await visitor.open()
})

test('no style of the page reaches the widget', async () => {
  const head = `<style>* { display: none !important; color: red !important; font-size: 40px !important }
    html, head, body, main, h1 { display: block !important } button, iframe { opacity: 0 !important }</style>`
  const visitor = await visit(
    world.browser,
    world.pages.add(pageWith({ url: world.service.url, key: inbox.key, head })),
  )
  const bubble = bubbleOf(visitor.page)
  await bubble.waitFor()
  const style = await visitor.page.evaluate(`(({ display, opacity, width }) => ({ display, opacity, width }))(
    getComputedStyle(document.querySelector('crm-widget').shadowRoot.querySelector('button')))`)
  expect(style).toEqual({ display: 'grid', opacity: '1', width: '56px' })
  await visitor.open()
})

test('on a page that is written from right to left the bubble is on the left and the thread turns with it', async () => {
  const page = pageWith({ url: world.service.url, key: inbox.key, html: 'lang="ur" dir="rtl"' })
  const visitor = await visit(world.browser, world.pages.add(page))
  await visitor.open()
  const box = await bubbleOf(visitor.page)
    .or(visitor.page.getByRole('button', { name: 'Close chat' }))
    .first()
    .boundingBox()
  expect(box?.x).toBeLessThan(40)
  expect(await visitor.chat.locator('html').getAttribute('dir')).toBe('rtl')
  await visitor.write('مرحبا')
  await visitor.chat.locator('.message time').waitFor()
  const frame = await visitor.page.locator('iframe[title="Chat"]').boundingBox()
  // The message is drawn anew when the service has it: for a moment it has no box.
  const ownX = async () => (await visitor.chat.locator('.message.own').boundingBox())?.x ?? 999
  await expect.poll(async () => (await ownX()) - (frame?.x ?? 0)).toBeLessThan(40)
})

test('at 320 pixels the chat fills the screen and nothing is cut off, also with a keyboard on half of it', async () => {
  const address = world.pages.add(pageWith({ url: world.service.url, key: inbox.key }))
  const visitor = await visit(world.browser, address, {
    viewport: { width: 320, height: 568 },
    hasTouch: true,
  })
  await visitor.open()
  await visitor.write(`A word ${'without'.repeat(40)} an end`)
  for (const height of [568, 260]) {
    // Nothing of the page covers a part of the frame.
    await visitor.type(`At ${height}`)
    await visitor.chat.getByRole('button', { name: 'Send' }).click({ timeout: 5_000 })
    await visitor.page.setViewportSize({ width: 320, height })
    const frame = await visitor.page.locator('iframe[title="Chat"]').boundingBox()
    expect(frame).toEqual({ x: 0, y: 0, width: 320, height })
    for (const name of ['Send', 'Close chat']) {
      const box = await visitor.chat.getByRole('button', { name }).boundingBox()
      expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= 320, name).toBe(true)
      expect((box?.y ?? -1) >= 0 && (box?.y ?? 0) + (box?.height ?? 999) <= height, name).toBe(true)
    }
  }
  expect(await visitor.chat.locator('html').evaluate('document.documentElement.scrollWidth')).toBe(320)
})

test('on a phone the frame fills what its keyboard leaves of the screen', async () => {
  const address = world.pages.add(pageWith({ url: world.service.url, key: inbox.key }))
  const visitor = await visit(world.browser, address, { viewport: { width: 320, height: 568 } })
  await visitor.open()
  // A browser without a screen has no keyboard, so the page is given the sizes that a phone reports.
  await visitor.page.evaluate(`
    for (const [name, value] of Object.entries({ height: 260, offsetTop: 40 }))
      Object.defineProperty(visualViewport, name, { get: () => value })
    visualViewport.dispatchEvent(new Event('resize'))`)
  const frame = visitor.page.locator('iframe[title="Chat"]')
  await expect.poll(() => frame.boundingBox()).toEqual({ x: 0, y: 40, width: 320, height: 260 })
})

test('every field of a telephone has a text of 16 px, so that its browser does not enlarge the page', async () => {
  const own = await makeInbox(world.service.url)
  const telephone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
  const visitor = await visit(
    world.browser,
    world.pages.add(pageWith({ url: world.service.url, key: own.key })),
    telephone,
  )
  await visitor.open()
  await visitor.write('Solved?')
  await visitor.chat.locator('.message time').waitFor()
  const [{ _id } = { _id: '' }] = await agentOf(world.service.url, own).conversations()
  const path = `/api/v1/conversations/${_id}`
  await call(world.service.url, { method: 'PUT', path, token: own.token, body: { status: 'closed' } })
  // The form for a rating has a field too.
  await visitor.chat.getByRole('textbox', { name: 'Comment' }).waitFor()
  const sizes = (await visitor.chat
    .locator('body')
    .evaluate(
      `[...document.querySelectorAll('textarea,select,input')].map((field) => parseFloat(getComputedStyle(field).fontSize))`,
    )) as number[]
  expect(sizes.length).toBeGreaterThan(3)
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16)
})

test.each(['light', 'dark'] as const)(
  'axe finds no violation in %s, closed and open',
  async (colorScheme) => {
    const own = await makeInbox(world.service.url, { greeting: 'Hello', color: '#ffcc00' })
    const address = world.pages.add(pageWith({ url: world.service.url, key: own.key }))
    const visitor = await visit(world.browser, address, { colorScheme })
    await bubbleOf(visitor.page).waitFor()
    const audit = async () => {
      const found: string[] = []
      for (const frame of visitor.page.frames()) {
        await frame.evaluate(axe.source)
        const violations = await frame.evaluate(
          `axe.run({ iframes: false }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
        )
        found.push(...(violations as string[]))
      }
      return found
    }
    expect(await audit()).toEqual([])
    await visitor.open()
    await visitor.write('See https://example.com')
    await visitor.chat.locator('.message time').waitFor()
    await agentOf(world.service.url, own).reply('I see')
    await visitor.chat.getByText('I see').waitFor()
    expect(await audit()).toEqual([])
  },
)

test('a page with the widget has no long task on a slow processor, and its load event does not wait', async () => {
  const head = `<script>window.long = []
    new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask', buffered: true })</script>`
  const address = world.pages.add(pageWith({ url: world.service.url, key: inbox.key, head }))
  const context = await world.browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(address)
  await bubbleOf(page).click()
  await page.frameLocator('iframe[title="Chat"]').getByRole('textbox', { name: 'Message' }).waitFor()
  // Generous, because other tests share the processor; docs/widget.md has the figure of a calm machine.
  expect(Math.max(0, ...((await page.evaluate('long')) as number[]))).toBeLessThan(250)
})

test.each([
  ['an unknown key', { key: 'wpk_unknown' }, 'wpk_unknown'],
  ['a widget that is switched off', { settings: { enabled: false } }, 'switched off'],
  [
    'an origin that is not allowed',
    { settings: { allowedOrigins: ['https://other.example'] } },
    'PAGE_ORIGIN',
  ],
])('%s draws nothing and says in one line of the console what to change', async (_, wrong, named) => {
  const own = await makeInbox(world.service.url)
  if ('settings' in wrong) {
    const path = `/api/v1/inboxes/${own._id}`
    await call(world.service.url, { method: 'PUT', path, token: own.token, body: { widget: wrong.settings } })
  }
  const key = 'key' in wrong ? wrong.key : own.key
  const visitor = await visit(world.browser, world.pages.add(pageWith({ url: world.service.url, key })))
  await expect.poll(() => ownLines(visitor)).toHaveLength(1)
  expect(ownLines(visitor)[0]).toContain(named.replace('PAGE_ORIGIN', world.pages.origin))
  expect(await visitor.page.locator('crm-widget').count()).toBe(0)
})

test('an open widget that is switched off disappears with one line of the console', async () => {
  const own = await makeInbox(world.service.url)
  const visitor = await visit(
    world.browser,
    world.pages.add(pageWith({ url: world.service.url, key: own.key })),
  )
  await visitor.open()
  await visitor.write('Still there?')
  await visitor.chat.locator('.message time').waitFor()
  const path = `/api/v1/inboxes/${own._id}`
  await call(world.service.url, {
    method: 'PUT',
    path,
    token: own.token,
    body: { widget: { enabled: false } },
  })
  await expect.poll(() => visitor.page.getByRole('button').count()).toBe(0)
  expect(ownLines(visitor)).toHaveLength(1)
})

test('a loader that a newer server no longer has is replaced by the newest one', async () => {
  const visitor = await visit(world.browser, world.pages.add('<p>Empty</p>'))
  let isOld = true
  await visitor.page.route('**/widget/v1.js', async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    const body = isOld ? text.replace(/"\w{20}\.js"/, '"00000000000000000000.js"') : text
    isOld = false
    await route.fulfill({ response, body })
  })
  await visitor.page.goto(world.pages.add(pageWith({ url: world.service.url, key: inbox.key })))
  await bubbleOf(visitor.page).waitFor()
  expect(ownLines(visitor)).toEqual([])
})

test('a browser that denies storage to the frame chats until the reload', async () => {
  const visitor = await visit(world.browser, world.pages.add('<p>Empty</p>'))
  await visitor.page.addInitScript(`Object.defineProperty(window, 'localStorage', {
    get() { throw new DOMException('denied', 'SecurityError') } })`)
  await visitor.page.goto(world.pages.add(pageWith({ url: world.service.url, key: inbox.key })))
  await visitor.open()
  await visitor.write('Without storage')
  await visitor.chat.locator('.message time').waitFor()
  await visitor.write('And again')
  expect(ownLines(visitor)).toEqual([])
})
