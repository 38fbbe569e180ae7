import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createSql, withStablePlan } from './sql.ts'

test('a statement gets a plus before each parameter, and none within a text', () => {
  const sql =
    "SELECT doc ->> '$.a?' FROM t WHERE tenant_id = @tenant AND a = ? AND b IN (?, ?) AND c = 'a@b' LIMIT ?"
  expect(withStablePlan(sql)).toBe(
    "SELECT doc ->> '$.a?' FROM t WHERE tenant_id = +@tenant AND a = +? AND b IN (+?, +?) AND c = 'a@b' LIMIT +?",
  )
})

test('a parameter keeps the type of its value, and is compared as before', () => {
  const db = new Database(':memory:')
  db.exec(
    'CREATE TABLE t (tenant_id TEXT NOT NULL, n INTEGER, a TEXT) STRICT; CREATE INDEX i ON t (tenant_id, n, a)',
  )
  const { tenant } = createSql(db, 'writer')
  const scoped = tenant('ten_1')
  const insert = 'INSERT INTO t (tenant_id, n, a) VALUES (@tenant, ?, ?)'
  scoped.run(insert, 1, '1')
  scoped.run(insert, null, '-1')
  scoped.run(insert, 9_007_199_254_740_993n, 'é?@x')
  const found = 'SELECT n, a FROM t WHERE tenant_id = @tenant AND n = ? AND a = ? LIMIT ?'
  expect(scoped.all(found, 1, '1', 5)).toEqual([{ n: 1, a: '1' }])
  expect(scoped.all(found, 1, '2', 5)).toEqual([])
  expect(scoped.all('SELECT a FROM t WHERE tenant_id = @tenant AND n IS ?', null)).toEqual([{ a: '-1' }])
  expect(scoped.all('SELECT a FROM t WHERE tenant_id = @tenant AND n = ?', 9_007_199_254_740_993n)).toEqual([
    { a: 'é?@x' },
  ])
  db.close()
})
