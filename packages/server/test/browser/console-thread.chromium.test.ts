import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { openConsole, signIn, write, writeAsCustomer } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

const running = useService()
const browser = useBrowser()

const pageSize = 50

/** The ids of all messages, oldest first. */
async function storedIds(token: string, id: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/api/v1/conversations/${id}/messages?limit=100${cursor && `&cursor=${cursor}`}`
    const { data, pagination } = (await call(running.url, { path, token })).body
    ids.push(...data.map(({ _id }: { _id: string }) => _id))
    cursor = pagination.nextCursor
  }
  return ids
}

const shownIds = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('article[data-message]')].map((row) => row.dataset.message)`)

/** Reads one page of older messages. Returns how far the message at the top has moved, in CSS pixels. */
function readOlder(page: Page): Promise<number> {
  return page.evaluate(`(async () => {
    const shown = () => document.querySelectorAll('article[data-message]').length
    const box = document.querySelector('.thread-scroll')
    box.scrollTop = 0
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const first = document.querySelector('article[data-message]')
    const [before, topBefore] = [shown(), first.getBoundingClientRect().top]
    document.querySelector('.thread-older button').click()
    while (shown() === before) await new Promise(requestAnimationFrame)
    // The place is held in the next frame; what is near the view is laid out in the one after that.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
    return Math.abs(first.getBoundingClientRect().top - topBefore)
  })()`)
}

test('a thread of 2,100 messages is read to its beginning in order, and no page moves what the reader sees', async () => {
  const { token, email } = await registerTenant(running.url)
  const id = await writeAsCustomer(running.url, token, {
    subject: 'A long story',
    content: 'Once upon a time',
  })
  let next = 1
  const writer = async () => {
    for (let index = next++; index < 2_100; index = next++) {
      // Lines of different number, so that no two slices have the same height.
      const content = Array.from({ length: 1 + (index % 9) }, (_, line) => `Line ${line} of ${index}`).join(
        '\n',
      )
      await write(running.url, token, { id, content, direction: 'inbound' })
    }
  }
  await Promise.all(Array.from({ length: 16 }, writer))
  const stored = await storedIds(token, id)
  expect(stored).toHaveLength(2_100)
  const { page } = await openConsole(browser, `${running.url}/console/inbox/open/-/-/${id}`)
  await signIn(page, email)
  await expect.poll(() => shownIds(page)).toEqual(stored.slice(-pageSize))
  for (let shown = pageSize; shown < stored.length; shown += pageSize) {
    expect(await readOlder(page), `after ${shown} messages`).toBeLessThanOrEqual(2)
  }
  expect(await shownIds(page)).toEqual(stored)
  await write(running.url, token, { id, content: 'The end', direction: 'inbound' })
  await page.getByRole('button', { name: /new message/ }).click()
  await page.getByText('The end', { exact: true }).waitFor()
  expect(
    await page.evaluate(`(() => {
    const newest = [...document.querySelectorAll('article[data-message]')].at(-1).getBoundingClientRect()
    return newest.bottom <= document.querySelector('.thread-scroll').getBoundingClientRect().bottom
  })()`),
  ).toBe(true)
}, 300_000)
