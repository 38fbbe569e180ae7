import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)

test('one file makes the events of conversations, together with what the timeline says', () => {
  const makers = /\bconversation(Created|Changed)Events\b/
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) =>
    makers.test(readFileSync(new URL(file, root), 'utf8')),
  )
  expect(files).toEqual(['src/shared/conversation-log.ts'])
})
