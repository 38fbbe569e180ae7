import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { auditActionsOf, defineOperation, none, type Operation, operations, session } from '@crmkit/core'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { changesetProblem, gitIn } from '../../../../scripts/check-changeset.ts'
import { sourceProblems } from '../../../../scripts/check-source-rules.ts'
import { migrateDatabase } from '../../src/adapters/sqlite/connection/migrate.ts'
import type { Handler, HandlerContext } from '../../src/features/handler.ts'
import type { DownloadContext, StreamContext } from '../../src/features/stream-handler.ts'
import type { SystemContext } from '../../src/features/system-handler.ts'
import { assertAudited } from '../../src/http/pipeline/run-handler.ts'
import type { TenantStore } from '../../src/ports/storage.ts'
import { defineKind } from '../../src/storage/kinds/define-kind.ts'
import { because, json, tenantRow, text, word } from '../../src/storage/kinds/fields.ts'
import { planList } from '../../src/storage/kinds/plan-list.ts'
import { deriveRow } from '../contracts/storage/derived-row.contract.ts'
import { declaredTable, schemaProblems, sqlOfTable } from '../schema/declared-sqlite.ts'
import { askedLists } from '../schema/list-plans.ts'
import { sqlitePlanProblem } from '../schema/sqlite-plans.ts'
import { readOwnTests, untestedOperations } from './own-tests.ts'
import { personalFieldProblems } from './personal-fields.ts'

/*
 * Typical mistakes when adding a kind or an operation. Each is planted here, and a check has to find it and name the
 * file to change. The mistake of a missing index on MongoDB is planted in `planted-index.mongodb.test.ts`.
 */

describe('a SQLite schema that differs from its declaration', () => {
  let db: Database.Database
  beforeEach(() => {
    db = new Database(':memory:')
    migrateDatabase(db)
  })
  afterEach(() => {
    db.close()
  })
  const problems = (table: 'inboxes' | 'webhooks' = 'inboxes') =>
    schemaProblems(db, declaredTable(table)).join('\n')

  it('is found without the index of a list, by its columns and by the plan of the list', () => {
    db.exec('DROP INDEX inboxes_by_created')
    expect(problems()).toMatch(
      /inboxes has no index .*packages\/server\/src\/adapters\/sqlite\/migrations\/\d{3}-/,
    )
    expect(problems()).toContain('CREATE INDEX inboxes_by_created ON inboxes (tenant_id, created_at, id);')
    const [asked] = askedLists('inboxes')
    const problem = sqlitePlanProblem(db, asked!)
    expect(problem).toContain('The list of inboxes without a filter, by -createdAt is not sorted by an index')
    expect(problem).toContain('packages/server/src/storage/kinds/inboxes.ts')
    expect(problem).toContain('packages/server/src/adapters/sqlite/migrations')
  })

  it('is found without the index of a filter, by the plan of the list', () => {
    db.exec('DROP INDEX api_keys_by_environment')
    const asked = askedLists('apiKeys').find(({ foundBy }) => foundBy === 'environment')
    expect(sqlitePlanProblem(db, asked!)).toContain('finds no row by environment in an index')
  })

  it('is found without the unique key of tenant and id', () => {
    const sql = sqlOfTable(declaredTable('webhooks')).replace(',\n  UNIQUE (tenant_id, id)', '')
    db.exec(`DROP TABLE webhooks; ${sql}`)
    expect(problems('webhooks')).toMatch(
      /packages\/server\/src\/adapters\/sqlite\/migrations\/\d{3}-webhooks\.sql/,
    )
    expect(problems('webhooks')).toContain('CREATE UNIQUE INDEX webhooks_by_key ON webhooks (tenant_id, id);')
  })

  it('is found with a column that may be null where the declaration has none, and with one that nothing needs', () => {
    const sql = sqlOfTable(declaredTable('webhooks')).replace(
      'created_at TEXT NOT NULL',
      'created_at TEXT, color TEXT',
    )
    db.exec(`DROP TABLE webhooks; ${sql}`)
    expect(problems('webhooks')).toContain('webhooks has no column "created_at TEXT NOT NULL"')
    expect(problems('webhooks')).toContain(
      'packages/server/src/storage/kinds/webhooks.ts needs the column "color TEXT"',
    )
  })

  it('is found without the whole table, with the SQL that makes it', () => {
    db.exec('DROP TABLE customers')
    const found = schemaProblems(db, declaredTable('customers')).join('\n')
    expect(found).toContain('there is no table customers')
    expect(found).toContain(
      'CREATE INDEX customers_by_tier ON customers (tenant_id, tier, created_at, id, status);',
    )
  })
})

describe('a handler that does what it must not', () => {
  const handlerFile = 'packages/server/src/features/customers/planted-thing.ts'
  const rulesBroken = (text: string, file = handlerFile) => sourceProblems(file, text).map(({ rule }) => rule)

  it('is refused by the compiler when it commits, in a tenant or across tenants', () => {
    type Commits<Store> = 'commit' extends keyof Store ? true : false
    // The store of a background job has it.
    expectTypeOf<Commits<TenantStore>>().toEqualTypeOf<true>()
    expectTypeOf<Commits<HandlerContext['store']>>().toEqualTypeOf<false>()
    expectTypeOf<Commits<StreamContext['store']>>().toEqualTypeOf<false>()
    expectTypeOf<Commits<DownloadContext['store']>>().toEqualTypeOf<false>()
    expectTypeOf<Commits<SystemContext['system']>>().toEqualTypeOf<false>()
    expectTypeOf<Commits<ReturnType<SystemContext['forTenant']>>>().toEqualTypeOf<false>()
    const planted: Handler<Operation> = async ({ store }) => {
      // @ts-expect-error A handler returns its change.
      await store.commit({ writes: [], events: [] })
      return { reply: {} }
    }
    expect(planted).toBeTypeOf('function')
  })

  it('is found when it lists more rows than a page may have', () => {
    const plan = () => planList('customers', { page: 1, limit: 1_000_000 })
    expect(plan).toThrow('A list of customers asks for 1000000 rows: read it page by page')
  })

  it('is found by `npm run check` when it reads the clock, the time zone or the language of the machine', () => {
    expect(rulesBroken('const createdAt = new Date().toISOString()')).toEqual(['clock'])
    expect(rulesBroken('const untilMs = Date.now() + 60_000')).toEqual(['clock'])
    expect(rulesBroken('const month = new Date(now).getMonth()')).toEqual(['time zone'])
    expect(rulesBroken('const first = new Date(year, month - count)')).toEqual(['time zone'])
    expect(rulesBroken('const shown = count.toLocaleString()')).toEqual(['locale'])
  })

  it('is found by `npm run check` when it makes a tenant of what a request names', () => {
    expect(rulesBroken('ctx.forTenant(input.query.tenant as TenantId)')).toEqual(['tenant'])
  })
})

it('a door that logs the path of a request, which can hold a token, is found by `npm run check`', () => {
  const text = "const fields = { requestId, method: req.method ?? 'POST', path: req.url ?? '' }"
  expect(sourceProblems('packages/server/src/http/inbound/mail-door.ts', text)).toMatchObject([
    { rule: 'logged path', line: 1 },
  ])
})

it('a screen of the console with an English text of its own is found by `npm run check`', () => {
  const text = '<button aria-label="Canned replies">{t.open}</button>'
  const file = 'packages/console/src/features/thread/canned-replies.tsx'
  expect(sourceProblems(file, text)).toMatchObject([{ rule: 'words', found: '"Canned replies"' }])
})

const request = { params: z.object({ id: z.string() }) }
const deletion = {
  id: 'plantedThings.delete',
  method: 'DELETE',
  path: '/api/v1/planted-things/{id}',
  auth: session('admin'),
  summary: 'Delete a planted thing',
  request,
  status: 200,
  response: z.object({}),
} as const

describe('an operation that changes something', () => {
  it('does not compile without a word about its audit entry, or without a reason for none', () => {
    // @ts-expect-error `audit` is missing: an entry, or why there is none.
    expect(auditActionsOf(defineOperation(deletion))).toEqual(['none'])
    // @ts-expect-error The word alone gives no reason.
    defineOperation({ ...deletion, audit: 'none' })
    // @ts-expect-error A reason has more than one word.
    none('harmless')
  })

  const declared = defineOperation({ ...deletion, audit: 'plantedThing.deleted' })
  const file = 'packages/core/src/<area>/*-operations.ts'

  const endpointOf = (operation: Operation) => ({ operation, auditActions: auditActionsOf(operation) })

  it('fails when its change comes without the entry that it declares', () => {
    const message = `plantedThings.delete declares the audit entry plantedThing.deleted and writes none: change its \`audit\` in ${file}`
    expect(() => assertAudited(endpointOf(declared), { isChange: true })).toThrow(message)
    expect(() => assertAudited(endpointOf(declared), { isChange: false })).not.toThrow()
  })

  it('fails when it writes an entry that it does not declare', () => {
    const audit = { action: 'plantedThing.made', target: { type: 'plantedThing', _id: 'rep_1' } }
    expect(() => assertAudited(endpointOf(declared), { isChange: true, audit })).toThrow(
      'writes plantedThing.made',
    )
    const silent = defineOperation({ ...deletion, audit: none('a planted reason') })
    expect(() => assertAudited(endpointOf(silent), { isChange: true, audit })).toThrow(
      'declares the audit entry none',
    )
  })

  it('is found when only generated tests call it', () => {
    const own = { tests: readOwnTests(), handlers: {} }
    const planted = [...operations, declared] as Operation[]
    const found = untestedOperations(planted, own).filter((problem) => problem.startsWith('plantedThings'))
    expect(found).toEqual([
      'plantedThings.delete has no test of its own: call DELETE /api/v1/planted-things/{id} in ' +
        'packages/server/test/http/planted-things.test.ts and say in its title what it does',
    ])
    const text = "await call(url, { method: 'DELETE', path: '/api/v1/planted-things/rep_1', token })"
    const tested = { ...own, tests: [...own.tests, { name: 'planted-things.test.ts', text }] }
    expect(untestedOperations(planted, tested).join()).not.toContain('plantedThings')
  })
})

describe('a declared kind', () => {
  const rules = {
    idPrefix: 'rep',
    erasure: { rows: 'kept' },
    quota: { rows: 1000 },
    retention: 'permanent',
  } as const

  it('is refused by the compiler without a quota, unless handlers of a tenant cannot write it', () => {
    const { quota: _, ...unbounded } = rules
    const fields = { ...tenantRow, color: text('plain') }
    // @ts-expect-error `quota` is missing: a number of rows, or why there is no limit.
    defineKind('plantedThings', { ...unbounded, fields })
    defineKind('plantedThings', { ...unbounded, writtenBy: 'system', fields })
  })

  it('is found with a text or a JSON value that is classed as harmless without a reason, whatever its name', () => {
    const fields = {
      ...tenantRow,
      signature: text('plain'),
      phoneOfAuthor: text('internal'),
      parts: json('plain', ['a']),
      contactEmail: text('user'),
    }
    const problems = personalFieldProblems(defineKind('plantedThings', { ...rules, fields }))
    expect(problems).toHaveLength(3)
    expect(problems[0]).toContain(
      'plantedThings.signature is classed "plain" in packages/server/src/storage/kinds/',
    )
    expect(problems[1]).toContain('plantedThings.phoneOfAuthor is classed "internal"')
    expect(problems[2]).toContain('plantedThings.parts is classed "plain"')
    const explained = { ...tenantRow, title: because('the team writes it for everybody', text('plain')) }
    expect(personalFieldProblems(defineKind('plantedThings', { ...rules, fields: explained }))).toEqual([])
  })

  it('needs no reason for a text that is one of a few words, which the compiler asks for', () => {
    const fields = { ...tenantRow, color: word<'red' | 'blue'>('plain') }
    expect(personalFieldProblems(defineKind('plantedThings', { ...rules, fields }))).toEqual([])
    // @ts-expect-error Any text is more than a few words.
    word<string>('plain')
  })

  it('has a row that is derived for the tests; for an object it asks for a sample', () => {
    const fields = { ...tenantRow, title: text('plain'), tags: json('plain', ['a']) }
    const row = deriveRow(defineKind('plantedThings', { ...rules, fields }), 'ten_1')
    expect(row).toMatchObject({ tenantId: 'ten_1', title: expect.stringMatching(/^title\d+/), tags: ['a'] })
    const without = defineKind('plantedThings', { ...rules, fields: { ...tenantRow, tags: json('plain') } })
    const message =
      'plantedThings.tags is an object or a list: give it a sample, json(class, sample), in packages/'
    expect(() => deriveRow(without, 'ten_1')).toThrow(message)
  })
})

describe('a change of a published package without a changeset', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'crmkit-changeset-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: folder,
      stdio: 'pipe',
    })
  const pending = ['core', 'sdk', 'server', 'cli'].map((name) => `"@crmkit/${name}": minor`)
  const problem = (waiting = pending) => changesetProblem(gitIn(folder), waiting)
  const write = (file: string) => {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true })
    writeFileSync(path.join(folder, file), `${file}\n${Math.random()}\n`)
  }
  const commit = (...files: string[]) => {
    for (const file of files) write(file)
    git('add', '-A')
    git('commit', '-q', '-m', 'change')
  }
  const source = 'packages/server/src/features/customers/merge-customers.ts'

  it('is found on a branch, committed or not, and on main before it is committed', () => {
    git('init', '-q', '-b', 'main')
    commit(source, 'packages/core/src/index.ts')
    expect(problem()).toBeUndefined()
    write(source)
    expect(problem()).toContain(`No changeset: ${source} changed since`)
    expect(problem()).toContain('Write .changeset/NAME.md')
    git('checkout', '-q', '-b', 'branch')
    commit(source)
    expect(problem()).toContain(source)
    commit('.changeset/faster-merge.md')
    expect(problem()).toBeUndefined()
    commit(source)
    expect(problem()).toBeUndefined()
  })

  it('is found when the next release would leave a package out', () => {
    git('init', '-q', '-b', 'main')
    commit(source, 'packages/cli/src/index.ts')
    const cli = pending.filter((text) => text.includes('cli'))
    expect(problem(cli)).toContain('packages/server changed since the last release')
    commit(...['core', 'sdk', 'server', 'cli'].map((name) => `packages/${name}/CHANGELOG.md`))
    expect(problem([])).toBeUndefined()
  })

  it('is not required for tests, documents and scripts, and is not checked without a repository', () => {
    git('init', '-q', '-b', 'main')
    commit(source)
    git('checkout', '-q', '-b', 'branch')
    commit(
      'packages/server/src/features/users/x.test.ts',
      'packages/server/test/http/x.test.ts',
      'docs/x.md',
      'scripts/x.ts',
    )
    expect(problem()).toBeUndefined()
    rmSync(path.join(folder, '.git'), { recursive: true })
    write(source)
    expect(problem([])).toBeUndefined()
  })
})
