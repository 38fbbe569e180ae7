import { globSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { floorOf, floors, testFolders } from '../../../../scripts/floors.ts'

const root = resolve(import.meta.dirname, '../../../..')
const files = globSync('packages/server/src/**/*.ts', { cwd: root })

test('each file of the server is in a floor of scripts/floors.ts', () => {
  expect(files.filter((file) => floorOf(file) === undefined)).toEqual([])
})

test('a folder without a line in scripts/floors.ts is in no floor', () => {
  for (const path of ['telegram/bot.ts', 'mail/letters/print.ts', 'delivery/loose.ts', 'loose.ts'])
    expect(floorOf(`packages/server/src/${path}`)?.path, path).toBeUndefined()
})

test('each floor of scripts/floors.ts has a file', () => {
  const used = new Set(files.map((file) => floorOf(file)?.path))
  expect(floors.map(({ path }) => path).filter((path) => !used.has(path))).toEqual([])
})

test('a floor with a list of its own names floors below it', () => {
  for (const [index, { path, only = [] }] of floors.entries()) {
    const below = floors.slice(index + 1).map((floor) => floor.path)
    expect(below, path).toEqual(expect.arrayContaining([...only]))
  }
})

test('each folder of the tests has a line in scripts/floors.ts', () => {
  const folders = readdirSync(join(root, 'packages/server/test'), { withFileTypes: true })
  expect(Object.keys(testFolders).sort()).toEqual(
    folders
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort(),
  )
})
