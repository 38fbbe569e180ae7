import { choiceTargets, headerTargets } from '@crmkit/core'
import { expect, test } from 'vitest'
import { importMeanings, importTargets } from '../../../console/src/features/settings/import-targets.ts'
import { de } from '../../../console/src/strings/de.ts'
import { deMore } from '../../../console/src/strings/de-more.ts'
import { en } from '../../../console/src/strings/en.ts'
import { more } from '../../../console/src/strings/more.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'
import { joinAs, openConsole, signIn, violationsOf } from './support/console-browser.ts'
import { useBrowser } from './support/use-browser.ts'

// An admin imports a file in the browser alone: nothing is written before the trial, and an undo takes all back.

const running = useService()
const browser = useBrowser()

const csv = [
  'Ticket-ID;Betreff;Status;Region',
  '1;Lampe defekt;Offen;Nord',
  '2;Rechnung falsch;Beim Anwalt;Süd',
  '3;Zu viele Zellen;Offen;West;noch eine',
].join('\r\n')

test('the screen offers the targets and meanings that the service knows', () => {
  expect([importTargets, importMeanings]).toEqual([headerTargets, choiceTargets])
})

test.each([
  { locale: 'en-GB', width: 1024, texts: more.imports, general: en },
  { locale: 'de-AT', width: 360, texts: deMore.imports, general: de },
])('a file is mapped, tried, imported and undone, in $locale with $width pixels', async (given) => {
  const { locale, width, texts, general } = given
  const owner = await registerTenant(running.url)
  const read = async (path: string) => (await call(running.url, { path, token: owner.token })).body.data
  const statuses = async () => {
    const rows: { subject: string; status: string }[] = await read('/api/v1/conversations?limit=100')
    return rows.map(({ subject, status }) => [subject, status]).toSorted()
  }
  const options = { locale, viewport: { width, height: 800 } }
  const { page, complaints } = await openConsole(browser, `${running.url}/console/settings/imports`, options)
  const check = async () => {
    const beyond = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    expect([await violationsOf(page), beyond]).toEqual([[], false])
  }
  await page.getByLabel(general.signIn.email).fill(owner.email)
  await page.getByLabel(general.signIn.password).fill(password)
  await page.getByRole('button', { name: general.signIn.submit }).click()
  await page.getByText(texts.none, { exact: true }).waitFor()
  await check()

  await page.getByRole('button', { name: texts.new }).click()
  const dialog = page.getByRole('dialog')
  await page.keyboard.type('Old help desk')
  await check()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Old help desk' }).waitFor()
  await page.getByLabel(texts.module).selectOption('Cases')
  const file = { name: 'tickets.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await page.getByLabel(texts.file, { exact: true }).setInputFiles(file)
  const targetOf = (column: string) => page.getByLabel(texts.targetOf(column), { exact: true })
  await targetOf('Betreff').waitFor()
  expect(await targetOf('Betreff').inputValue()).toBe('subject')
  expect(await page.getByLabel(texts.delimiter).inputValue()).toBe(';')
  expect(await targetOf('Region').inputValue()).toBe('customFields.Region')
  await targetOf('Region').selectOption('')
  await expect.poll(() => targetOf('Region').inputValue()).toBe('')
  const word = page.getByLabel(texts.meaningOf('Beim Anwalt'), { exact: true })
  expect(await page.getByLabel(texts.meaningOf('Offen'), { exact: true }).inputValue()).toBe('open')
  expect(await word.inputValue()).toBe('')
  await word.selectOption('pending')
  // The empty choice leaves the list when the service has stored the meaning.
  await expect.poll(() => word.locator('option').count()).toBe(3)
  await check()

  await page.getByRole('button', { name: texts.dryRun }).click()
  await page.getByRole('heading', { name: texts.trialResult }).waitFor()
  const figures = new RegExp(`${texts.figures.created('2')}.*${texts.figures.failed('1')}`)
  await page.getByText(figures).waitFor()
  const issues = page.getByRole('region', { name: texts.issues })
  await issues.getByRole('cell', { name: '4', exact: true }).waitFor()
  expect(await statuses()).toEqual([])
  await check()

  await page.getByRole('button', { name: texts.start, exact: true }).click()
  await page.getByRole('button', { name: texts.undo }).waitFor()
  await page.getByText(figures).waitFor()
  expect(await statuses()).toEqual([
    ['Lampe defekt', 'open'],
    ['Rechnung falsch', 'pending'],
  ])
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: texts.rejected(texts.modules.Cases) }).click()
  expect((await saving).suggestedFilename()).toBe('Cases.csv')
  await check()

  await page.getByRole('button', { name: texts.undo }).click()
  await dialog.getByText(texts.undoHint).waitFor()
  await check()
  await dialog.getByRole('button', { name: texts.undoNow }).click()
  const [before = ''] = texts.undone('2', '', '').split('2')
  await page.getByText(before).waitFor()
  expect(await statuses()).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})

test('an agent sees no imports, and a refused file says why', async () => {
  const owner = await registerTenant(running.url)
  const address = `${running.url}/console/settings/imports`
  const agent = await openConsole(browser, address)
  await signIn(agent.page, await joinAs(running.url, owner.token, 'agent'))
  await agent.page.getByText(more.settings.forbidden).waitFor()
  await agent.page.context().close()

  const { page } = await openConsole(browser, address)
  await signIn(page, owner.email)
  await page.getByRole('button', { name: more.imports.new }).click()
  await page.keyboard.type('Pictures')
  await page.keyboard.press('Enter')
  const picture = {
    name: 'photo.png',
    mimeType: 'image/png',
    buffer: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  }
  await page.getByLabel(more.imports.file, { exact: true }).setInputFiles(picture)
  await page.getByRole('alert').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.context().close()
})
