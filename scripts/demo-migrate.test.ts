import { expect, it } from 'vitest'
import { runProgram } from '../packages/server/test/support/programs.ts'

it('npm run demo:migrate reads an account into a package, imports it and a later pass, and counts what is here', async () => {
  const { code, stdout, stderr } = await runProgram('scripts/demo-migrate.ts', ['--tickets', '24'])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(stdout).toContain('conversations\t24\t0')
  // At the source, in the package, and here.
  expect(stdout).toContain('conversations\t2023-01\t24\t24\t24\t')
  expect(stdout).toContain('messages\t2023-01\t59\t59\t59\t')
  expect(stderr).toContain('conversations: 1 record read, 0 created, 1 updated')
}, 180_000)
