import { expect, it } from 'vitest'
import { runProgram } from '../packages/server/test/support/programs.ts'

it('npm run demo:import connects an emulator, imports with a line for each module, and imports a change alone', async () => {
  const { code, stdout, stderr } = await runProgram('scripts/demo-import.ts', ['--contacts', '40'])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(stderr).toContain('Contacts: 40 records read, 40 created, 0 updated')
  expect(stderr).toContain('Deals: 4 records read, 4 created, 0 updated')
  expect(stdout).toContain('Contacts of the first import: 40 created, 0 merged, 0 failed.')
  expect(stdout).toContain('Contacts of the second import: 1 updated, 39 unchanged.')
}, 120_000)
