import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const commands = fileURLToPath(new URL('../src/commands/', import.meta.url))

/** Commands that a factory cannot make, and why. */
const exceptions = {
  'conversations/create.ts': 'finds inbox and assignee, and uploads files in calls of their own',
  'imports.ts': 'an import belongs to its integration, so its commands have two ids',
  'privacy.ts': 'its delete asks for a deletion, and deletes nothing itself',
  'profiles/delete.ts': 'changes the profile file, not the server',
  'profiles/list.ts': 'reads the profile file, not the server',
}

it('makes list, get, create, update and delete of every noun from a factory, with listed exceptions', () => {
  const files = globSync('**/*.ts', { cwd: commands }).filter((file) => !file.startsWith('factories/'))
  expect(files.length).toBeGreaterThan(50)
  const handmade = files.filter((file) =>
    /(\.command\(|\bname: )'(list|get|create|update|delete)'/.test(readFileSync(commands + file, 'utf8')),
  )
  expect(handmade.sort()).toEqual(Object.keys(exceptions).sort())
})
