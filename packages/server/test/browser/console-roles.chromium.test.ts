import { type AnyOperation, type OperationId, operations, type Role, roles } from '@crmkit/core'
import type { Request } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { mayCall } from '../isolation/access.ts'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import {
  commandsShown,
  joinAs,
  openConsole,
  press,
  type ShownCommand,
  signIn,
  writeAsCustomer,
} from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// A role sees exactly what the service lets it do. The access to the operations is that of the isolation tests.

/** The operation that each command of the console is for. A command without an entry fails the tests. */
const needs: Readonly<Record<string, OperationId | 'nothing'>> = {
  'Next conversation': 'conversations.list',
  'Previous conversation': 'conversations.list',
  'Write a reply': 'drafts.save',
  'Write a note': 'drafts.save',
  Send: 'messages.create',
  'Send and close': 'messages.create',
  'Send later': 'drafts.save',
  'Insert a canned reply': 'drafts.save',
  Close: 'conversations.update',
  Assign: 'conversations.update',
  'Assign to me': 'conversations.update',
  Labels: 'conversations.addLabels',
  Priority: 'conversations.update',
  'Mark as pending': 'conversations.update',
  'Move to another inbox': 'conversations.update',
  'Change the customer': 'conversations.update',
  Snooze: 'conversations.update',
  'Merge into…': 'conversations.merge',
  'Mark as unread': 'conversations.unread',
  'Choose for a change of many': 'conversations.updateMany',
  'Choose all up to here': 'conversations.updateMany',
  'Edit the customer': 'customers.update',
  'Merge with another customer': 'customers.merge',
  'Block the sender': 'customers.block',
  'Erase the customer': 'customers.delete',
  'Export the customer’s data': 'customers.export',
  'New conversation': 'conversations.create',
  Undo: 'conversations.update',
  'Filter and order': 'conversations.list',
  'Save this list as a view': 'views.create',
  Search: 'search.find',
  'Go to Mine': 'conversations.list',
  'Go to Unassigned': 'conversations.list',
  'Go to Waiting': 'conversations.list',
  'Go to Open': 'conversations.list',
  'Go to Pending': 'conversations.list',
  'Go to Snoozed': 'conversations.list',
  'Go to Closed': 'conversations.list',
  'Go to Mentions': 'users.listMentions',
  'Set your availability': 'users.updateMe',
  Notices: 'nothing',
  'Next pane': 'nothing',
  'Previous pane': 'nothing',
  'Switch to another team': 'auth.me',
  'All commands': 'nothing',
  'Show the keys': 'nothing',
  'Sign out': 'auth.logout',
}

function isAllowed({ text }: ShownCommand, role: Role): boolean {
  const operation = needs[text]
  if (operation === undefined) throw new Error(`Name the operation of the command “${text}” in this test`)
  return operation === 'nothing' || mayCall(operation, role)
}

const running = useService()
const browser = useBrowser()
/** The commands of the role with every right. */
let all: ShownCommand[]
beforeAll(async () => {
  const { page } = await openAs('owner')
  all = await commandsShown(page)
  await page.context().close()
})

const patterns = operations.map((operation: AnyOperation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** A path like `drafts/send` also matches a pattern with a parameter, so the exact one is preferred. */
function operationOf(request: Request): OperationId | undefined {
  const { pathname } = new URL(request.url())
  const found = patterns.filter(
    ({ operation, pattern }) => operation.method === request.method() && pattern.test(pathname),
  )
  const exact = found.find(({ operation }) => operation.path === pathname) ?? found[0]
  return exact?.operation.id as OperationId | undefined
}

/** A page at a conversation of a new tenant, as somebody with this role. */
async function openAs(role: Role) {
  const owner = await registerTenant(running.url)
  const texts = { subject: 'A broken lamp', content: 'The lamp does not switch on.' }
  const id = await writeAsCustomer(running.url, owner.token, texts)
  const address = `${running.url}/console/inbox/open/-/-/${id}`
  const { page } = await openConsole(browser, address)
  const asked: string[] = []
  page.on('request', (request) => {
    const operation = operationOf(request)
    if (operation !== undefined) asked.push(operation)
  })
  await signIn(page, role === 'owner' ? owner.email : await joinAs(running.url, owner.token, role))
  await page.getByRole('log').getByText(texts.content).waitFor()
  await page.getByRole('heading', { name: 'Grace' }).waitFor()
  const read = async (path: string) => (await call(running.url, { path, token: owner.token })).body.data
  const stored = async () => [
    await read(`/api/v1/conversations/${id}`),
    await read(`/api/v1/conversations/${id}/messages`),
  ]
  return { page, asked, address, stored }
}

describe.each(roles.filter((role) => role !== 'owner'))('the role %s', (role) => {
  test('sees every command that it may use and no other, and a key of another one does nothing', async () => {
    const { page, asked, address, stored } = await openAs(role)
    const texts = (commands: readonly ShownCommand[]) => commands.map(({ text }) => text).toSorted()
    expect(texts(await commandsShown(page))).toEqual(texts(all.filter((command) => isAllowed(command, role))))
    const before = await stored()
    asked.length = 0
    for (const { keys } of all.filter((command) => !isAllowed(command, role))) await press(page, keys ?? [])
    // When this dialog stands alone, the page has handled every key before.
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
    expect([page.url(), asked, await stored()]).toEqual([address, [], before])
    await page.context().close()
  })

  test('asks the service for nothing that it may not do, whatever button or command it takes', async () => {
    const { page, asked, address } = await openAs(role)
    const names: string[] = await page.evaluate(
      `[...document.querySelectorAll('button')].filter((button) => button.checkVisibility() && !button.disabled)
        .map((button) => button.ariaLabel ?? [...button.childNodes]
          .filter((part) => part.ariaHidden !== 'true').map((part) => part.textContent).join('').trim())`,
    )
    const back = async () => {
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      if (page.url() === address) return
      await page.goto(address)
      await page.getByRole('heading', { name: 'Grace' }).waitFor()
    }
    for (const name of names.filter((one) => one !== 'Sign out')) {
      // The own button also names the availability, which changes by itself.
      const [whole, person] = /^(.+ · )\w+$/.exec(name) ?? []
      const button = { name: whole ? new RegExp(`^${person}`) : name, exact: true }
      await page.getByRole('button', button).first().click()
      await back()
    }
    for (const { text } of all.filter((command) => isAllowed(command, role) && command.text !== 'Sign out')) {
      await page.keyboard.press('Control+k')
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await back()
    }
    expect(asked.filter((operation) => !mayCall(operation as OperationId, role))).toEqual([])
    expect(asked).toContain('conversations.list')
    await page.context().close()
  })
})
