import axe from 'axe-core'
import { expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useWidget } from './support/use-widget.ts'
import { makeInbox, newTab, pageWith, type Visitor, visit } from './support/widget-browser.ts'

const world = useWidget()

const choices = [
  { id: 'yes', label: 'Yes, please' },
  { id: 'no', label: '<b>No</b>' },
]

/** A visitor with an open chat, to whom the team has offered two replies. */
async function openOffer() {
  const { url } = world.service
  const { token, key, email } = await makeInbox(url)
  const address = world.pages.add(pageWith({ url, key }))
  const visitor = await visit(world.browser, address)
  await visitor.open()
  await visitor.write('Hello')
  const ask = async (method: string, path: string, body?: object) => {
    const response = await call(url, {
      method,
      path: `/api/v1/conversations${path}`,
      token,
      ...(body && { body }),
    })
    expect(response.body.error).toBeUndefined()
    return response.body.data
  }
  await expect.poll(async () => (await ask('GET', '')).length).toBe(1)
  const [{ _id: id }] = await ask('GET', '')
  const offer = await ask('POST', `/${id}/messages`, { content: 'Shall we send it?', choices })
  await button(visitor, 'Yes, please').waitFor()
  return { visitor, address, email, id, offer, messages: () => ask('GET', `/${id}/messages`) }
}

const button = ({ chat }: Visitor, name: string) => chat.getByRole('button', { name, exact: true })

async function violations({ page }: Visitor): Promise<unknown> {
  const frame = page.frames().find((one) => one.url().includes('/widget/v1/frame'))
  await frame?.evaluate(axe.source)
  const result = await frame?.evaluate<axe.AxeResults>('axe.run()')
  return result?.violations.map(({ id }) => id)
}

test('a click on an offered reply is a message, by the keyboard too, and leaves what the visitor is writing', async () => {
  const { visitor, offer, messages } = await openOffer()
  await visitor.type('While I think')
  expect(await violations(visitor)).toEqual([])
  await button(visitor, '<b>No</b>').press('Enter')
  await visitor.chat.locator('.own .text', { hasText: '<b>No</b>' }).waitFor()
  await expect.poll(async () => (await messages()).length).toBe(3)
  const choice = { messageId: offer._id, choiceId: 'no' }
  expect((await messages()).at(-1)).toMatchObject({ direction: 'inbound', content: '<b>No</b>', choice })
  expect(await button(visitor, '<b>No</b>').getAttribute('aria-pressed')).toBe('true')
  for (const name of ['Yes, please', '<b>No</b>']) expect(await button(visitor, name).isDisabled()).toBe(true)
  const field = visitor.chat.getByRole('textbox', { name: 'Message' })
  expect(await field.inputValue()).toBe('While I think')
  expect(await visitor.chat.locator('body').evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
  expect(await violations(visitor)).toEqual([])
  await visitor.page.reload()
  await visitor.open()
  await button(visitor, 'Yes, please').waitFor()
  await expect.poll(() => button(visitor, 'Yes, please').isDisabled()).toBe(true)
  expect(await field.inputValue()).toBe('While I think')
  expect(visitor.lines).toEqual([])
})

test('of two clicks in two tabs one counts, and both tabs show it', async () => {
  const { visitor, address, messages } = await openOffer()
  const other = await newTab(await visitor.page.context().newPage(), address)
  await other.open()
  await button(other, 'Yes, please').waitFor()
  // A message that waits in one tab is sent by both of them.
  const path = '**/api/v1/widget/conversations/*/messages'
  const isOver = Promise.withResolvers<void>()
  await visitor.page.route(path, async (route) => {
    if (route.request().method() === 'POST') await isOver.promise
    await route.continue()
  })
  await button(visitor, '<b>No</b>').click()
  await button(other, 'Yes, please').click()
  await expect.poll(async () => (await messages()).length).toBe(3)
  for (const tab of [visitor, other]) {
    await expect.poll(() => button(tab, '<b>No</b>').getAttribute('aria-pressed')).toBe('true')
    await expect.poll(() => tab.chat.locator('.own .text').allTextContents()).toEqual(['Hello', '<b>No</b>'])
  }
  isOver.resolve()
  expect(await messages()).toHaveLength(3)
})

test('the console shows the offered replies, and which of them was clicked', async () => {
  const { visitor, email, id } = await openOffer()
  const tab = await openConsole(world.browser, `${world.service.url}/console/inbox/open/-/-/${id}`)
  await signIn(tab.page, email)
  const offered = tab.page.getByRole('list', { name: 'Offered replies' }).getByRole('listitem')
  await expect.poll(() => offered.allTextContents()).toEqual(['Yes, please', '<b>No</b>'])
  await button(visitor, 'Yes, please').click()
  await expect.poll(() => offered.allTextContents()).toEqual(['Yes, please (chosen)', '<b>No</b>'])
  expect(await violationsOf(tab.page)).toEqual([])
})
