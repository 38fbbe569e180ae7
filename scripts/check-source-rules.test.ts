import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { allowed, checkSourceRules, sourceProblems } from './check-source-rules.ts'
import { namesOf } from './new/names.ts'
import { declarationOf } from './new/operation-texts.ts'

const handler = 'packages/server/src/features/customers/create-customer.ts'
const screen = 'packages/console/src/features/thread/canned-replies.tsx'
const rulesBroken = (path: string, text: string) => sourceProblems(path, text).map(({ rule }) => rule)

describe('the rules of the sources', () => {
  it.each([
    ['the clock of the machine', 'clock', 'const now = new Date().toISOString()'],
    ['the milliseconds of the machine', 'clock', 'const until = Date.now() + 1000'],
    ['the clock as a function', 'clock', 'createIdFactory(Date.now)'],
    ['chance', 'chance', 'const id = Math.random()'],
    ['the language of the machine', 'locale', 'total.toLocaleString()'],
    ['an order of the language of the machine', 'locale', 'names.sort((a, b) => a.localeCompare(b))'],
    ['the time zone of the machine', 'time zone', 'new Date(month).getMonth() - 1'],
    ['a day of the machine', 'time zone', 'new Date(year, month - 1).toISOString()'],
    ['the path of a request in a log', 'logged path', "const fields = { requestId, path: req.url ?? '' }"],
    ['a count that nobody reads', 'count', 'const { rows } = await store.users.list({ page: 1, limit: 1 })'],
    [
      'a count of each page',
      'count',
      'const all = readAll((cursor) => store.users.list({ page: 1, cursor }))',
    ],
    ['a tenant that a request names', 'tenant', 'ctx.forTenant(input.query.tenant as TenantId)'],
  ])('refuse %s in the service', (_, rule, text) => {
    for (const room of [
      'features/customers',
      'mail',
      'imports',
      'live',
      'jobs',
      'delivery',
      'http',
      'a-new-room',
    ])
      expect(rulesBroken(`packages/server/src/${room}/planted.ts`, text)).toEqual([rule])
  })

  it('hold in core too', () => {
    expect(rulesBroken('packages/core/src/shared/planted.ts', 'const at = Date.now()')).toEqual(['clock'])
  })

  it('refuse the reason that `npm run new` has written instead of an audit entry', () => {
    const path = 'packages/core/src/planted-entries/planted-entry-operations.ts'
    const names = namesOf('plantedEntries')
    expect(rulesBroken(path, declarationOf({ names, verb: 'share', fields: [], prefix: 'ple' }))).toEqual([
      'reason',
    ])
    expect(rulesBroken(path, "const read = { audit: none('it changes nothing') }")).toEqual([])
  })

  it('take what names its moment, its language and its zone, and what is only written about', () => {
    const text = `
      // Never new Date() or Date.now() here.
      const at = new Date(now).toISOString()
      const month = new Date(at).getUTCMonth()
      const of = 'Math.random'
      type Id = { tenantId: TenantId }
    `
    expect(rulesBroken(handler, text)).toEqual([])
  })

  it.each([
    ['a label for readers of the screen', '<button aria-label="Canned replies" />'],
    ['a title', '<a title={"Open it"} />'],
    ['a placeholder', '<input placeholder={`Search`} />'],
    ['a text', '<p>Canned replies</p>'],
    ['a text behind a value', '<p>{count} replies</p>'],
    ['a text as a value', "<p>{'Canned replies'}</p>"],
    ['a property of a component', '<Empty headline="Nothing here" />'],
  ])('refuse %s in a screen of the console', (_, jsx) => {
    expect(rulesBroken(screen, `export const Screen = () => ${jsx}`)).toEqual(['words'])
  })

  it('take the texts of `strings`, the names of classes, and signs', () => {
    const jsx =
      '<p class="field hint" title={t.open} data-id="a">· {t.count(3)} <Icon name="clip" /> crmkit</p>'
    expect(rulesBroken(screen, `export const Screen = () => ${jsx}`)).toEqual([])
  })

  it('have at most so many exceptions, each with a reason: the number only becomes smaller', () => {
    expect(allowed.length).toBeLessThanOrEqual(9)
    for (const { why } of allowed) expect(why).toMatch(/\w+ \w+/)
  })

  it('name the place, what to do instead, and an exception that nothing needs any more', () => {
    const root = mkdtempSync(join(tmpdir(), 'crmkit-source-rules-'))
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const write = (file: string, text: string) => {
      mkdirSync(join(root, dirname(file)), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    const [clock] = allowed
    if (clock === undefined) throw new Error('no exception is left')
    try {
      write(handler, 'const a = 1\nconst now = Date.now()\n')
      write(clock.file, 'export {}\n')
      write('packages/server/src/main/start.ts', 'const now = Date.now()\n')
      write('packages/server/src/shared/clock.test.ts', 'const now = Date.now()\n')
      expect(checkSourceRules(root)).toBe(1)
      expect(stderr.mock.calls.map(([line]) => line)).toEqual([
        `${handler}:2: Date.now: the time is \`now\` of the context, or \`nowMs\` of a clock\n`,
        `${clock.file}: remove its place in \`allowed\` (clock), which it no longer needs\n`,
      ])
    } finally {
      stderr.mockRestore()
      rmSync(root, { recursive: true, force: true })
    }
  })
})
