import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { zipOf } from '../../server/test/support/zip-of.ts'
import { atSuiteEnd } from './support/at-suite-end.ts'
import { startServer } from './support/real-server.ts'
import { hasPseudoTerminal, type Machine, makeMachine } from './support/run-crm.ts'

const atEnd = atSuiteEnd()

let baseUrl: string
beforeAll(async () => {
  baseUrl = await startServer(atEnd)
})

/** The spreadsheet of a German office: a mark at its begin, semicolons, a quoted line break, a formula, a broken address. */
const sheet = `\u{feff}${[
  'Vorname;Nachname;E-Mail;Bemerkung',
  'Ada;Lovelace;ada@example.com;"first line\nsecond line"',
  'Grace;Hopper;grace@example.com;=HYPERLINK("http://attacker.test")',
  'Jörg;Müller;no address;ok',
  ';;;',
].join('\r\n')}\r\n`

interface Office {
  machine: Machine
  integrationId: string
  /** Runs `crm` and returns its output. */
  crm(...args: string[]): Promise<{ stdout: string; stderr: string }>
  /** Imports the spreadsheet and returns the id of the run. */
  importSheet(): Promise<string>
}

/** A machine that is signed in to a tenant of its own with a file integration. */
async function openOffice(): Promise<Office> {
  const machine = makeMachine()
  writeFileSync(join(machine.directory, 'people.csv'), sheet)
  async function crm(...args: string[]) {
    const { code, stdout, stderr } = await machine.run(args, {
      env: { CRM_PASSWORD: 'correct horse battery' },
    })
    if (code !== 0) throw new Error(`crm ${args.join(' ')} ended with ${code}: ${stderr}`)
    return { stdout, stderr }
  }
  const email = `ada.${crypto.randomUUID()}@example.com`
  await crm('init', '--base-url', baseUrl, '--tenant', 'Office', '--email', email, '--no-key')
  const created = await crm('integrations', 'create', '--name', 'Old help desk', '--quiet')
  const integrationId = created.stdout.trim()
  return {
    machine,
    crm,
    integrationId,
    async importSheet() {
      await crm('imports', 'upload', integrationId, 'people.csv', '--module', 'Contacts')
      const start = ['imports', 'start', integrationId, '--only', 'contacts', '--watch', '--quiet']
      return (await crm(...start)).stdout.trim()
    },
  }
}

const customersOf = async ({ crm }: Office) =>
  JSON.parse((await crm('customers', 'list', '--json')).stdout).map(
    ({ profile }: { profile: { firstName: string } }) => profile.firstName,
  )

describe('crm imports', () => {
  it('sets the order of dates of one column beside those of others, and the usual one', async () => {
    const { crm, integrationId, machine } = await openOffice()
    const update = ['integrations', 'update', integrationId]
    await crm(...update, '--date-order', 'Contacts:Member Since=mdy', '--date-order', 'Cases:A=B=dmy')
    const one = await crm(...update, '--date-order', 'Contacts:Born=ymd', '--date-order', 'mdy', '--json')
    expect(JSON.parse(one.stdout)).toMatchObject({
      dateOrder: 'mdy',
      dateOrders: { Contacts: { 'Member Since': 'mdy', Born: 'ymd' }, Cases: { 'A=B': 'dmy' } },
    })
    const wrong = await machine.run([...update, '--date-order', 'Born=dym'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('MODULE:HEADER=ORDER')])
  })

  it('tries a spreadsheet without writing, imports it, and exports each problem with its row', async () => {
    const office = await openOffice()
    const { crm, integrationId } = office
    await crm('imports', 'upload', integrationId, 'people.csv', '--module', 'Contacts')
    const start = ['imports', 'start', integrationId, '--only', 'contacts', '--watch', '--json']
    const tried = JSON.parse((await crm(...start, '--dry-run')).stdout)
    expect(tried).toMatchObject({ dryRun: true, modules: { Contacts: { read: 3, created: 3 } } })
    expect(await customersOf(office)).toEqual([])

    const run = JSON.parse((await crm(...start)).stdout)
    expect(run.modules.Contacts).toEqual(tried.modules.Contacts)
    expect((await customersOf(office)).sort()).toEqual(['Ada', 'Grace', 'Jörg'])
    const { stdout } = await crm('imports', 'errors', integrationId, '--csv')
    const lines = stdout.trimEnd().split(/\r?\n/)
    expect(lines[0]).toBe('severity,module,externalId,row,code,message,createdAt,column,value,count')
    // The header is row 1. The quoted line break of row 2 ends no row.
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^warning,Contacts,[^,]+,4,INVALID_VALUE,email is no e-mail address,/),
    ])
  })

  it('upload without a module takes each table of an archive, and a module takes one of them', async () => {
    const { machine, crm, integrationId } = await openOffice()
    const archive = zipOf({ 'contacts.csv': sheet, 'tickets.csv': 'Case Number,Subject\n1,Lamp\n' })
    writeFileSync(join(machine.directory, 'export.zip'), archive)
    const upload = ['imports', 'upload', integrationId, 'export.zip']
    const files = JSON.parse((await crm(...upload, '--json')).stdout)
    expect(files).toMatchObject([
      { module: 'Contacts', sheet: 'contacts.csv', delimiter: ';' },
      { module: 'Cases', sheet: 'tickets.csv', delimiter: ',' },
    ])
    expect((await crm(...upload)).stdout.split('\n')[1]).toContain('tickets.csv')
    expect((await crm(...upload, '--quiet')).stdout.trim().split('\n')).toHaveLength(2)
    const one = await crm(...upload, '--module', 'Cases', '--json')
    expect(JSON.parse(one.stdout)).toMatchObject({ module: 'Cases', sheet: 'tickets.csv' })
    const ofSheet = await crm(...upload, '--sheet', 'contacts.csv', '--json')
    expect(JSON.parse(ofSheet.stdout)).toMatchObject({ module: 'Contacts' })
  })

  it('upload takes the encoding, the delimiter and the line of the header from the person', async () => {
    const { machine, crm, integrationId } = await openOffice()
    const text = 'Kunden 2024\nNachname|Ort\nMüller|Köln\n'
    writeFileSync(join(machine.directory, 'people.txt'), Buffer.from(text, 'latin1'))
    const upload = ['imports', 'upload', integrationId, 'people.txt', '--module', 'Contacts']
    const shape = ['--encoding', 'windows-1252', '--delimiter', '|', '--header-row', '2']
    const { stdout } = await crm(...upload, ...shape, '--json')
    const asGiven = { encoding: 'windows-1252', delimiter: '|', headerRow: 2 }
    expect(JSON.parse(stdout)).toMatchObject({ ...asGiven, headers: ['Nachname', 'Ort'] })
  })

  it('shows what a file holds, and reads it anew with what a person says', async () => {
    const { crm, machine, integrationId } = await openOffice()
    writeFileSync(join(machine.directory, 'list.csv'), 'Our customers\nNachname;Ort\nM\u00fcller;Bonn\n')
    const upload = ['imports', 'upload', integrationId, 'list.csv', '--header-row', '1', '--quiet']
    const fileId = (await crm(...upload)).stdout.trim()
    const changed = await crm('imports', 'file', integrationId, fileId, '--header-row', '2', '--json')
    const columns = [{ name: 'Nachname', samples: ['M\u00fcller'], target: 'lastName' }, { name: 'Ort' }]
    expect(JSON.parse(changed.stdout)).toMatchObject({ headerRow: 2, columns })
    const shown = await crm('imports', 'file', integrationId, fileId, '--json')
    expect(JSON.parse(shown.stdout)).toEqual({
      ...JSON.parse(changed.stdout),
      survey: expect.objectContaining({ changed: [], error: null }),
    })
    const listed = await crm('imports', 'files', integrationId, '--quiet')
    expect(listed.stdout.trim()).toBe(fileId)
  })

  it.runIf(hasPseudoTerminal)('prints the balance of the file on a terminal', async () => {
    const { machine, crm, integrationId } = await openOffice()
    await crm('imports', 'upload', integrationId, 'people.csv', '--module', 'Contacts')
    const start = ['imports', 'start', integrationId, '--only', 'contacts', '--watch']
    const { screen } = await machine.runInTerminal(start, { responses: [] })
    expect(screen).toContain('people.csv: 5 rows = 1 blank + 1 outside + 3 created')
    expect(screen).toMatch(/E-Mail +│? *email/)
    expect(screen).not.toContain('does not close')
  })

  it('undo prints how much of the import that it names was removed, not of the latest one', async () => {
    const office = await openOffice()
    const { crm, integrationId } = office
    const runId = await office.importSheet()
    writeFileSync(join(office.machine.directory, 'people.csv'), sheet.replace('Ada', 'Augusta'))
    const secondId = await office.importSheet()
    expect(secondId).not.toBe(runId)

    const { stdout, stderr } = await crm('imports', 'undo', integrationId, secondId, '--yes')
    expect(stderr).toContain(`Import ${secondId}: undo done, 0 removed, 1 restored, 0 kept.`)
    expect(stdout).toContain(secondId)
    const first = await crm('imports', 'undo', integrationId, runId, '--yes', '--json')
    expect(JSON.parse(first.stdout)).toMatchObject({
      _id: runId,
      undo: { status: 'done', removed: 3, restored: 0, kept: 0 },
    })
    expect(await customersOf(office)).toEqual([])
  })

  it.runIf(hasPseudoTerminal)(
    'undo asks on a terminal, and removes nothing when the person says no',
    async () => {
      const office = await openOffice()
      const runId = await office.importSheet()
      const { code, screen } = await office.machine.runInTerminal(
        ['imports', 'undo', office.integrationId, runId],
        { responses: [['Undo the import', 'n\r']] },
      )
      expect(code).toBe(1)
      expect(screen).toContain('Nothing was removed.')
      expect(await customersOf(office)).toHaveLength(3)
    },
  )
})
