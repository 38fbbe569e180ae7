import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readSlowSuites, recordSlowSuites } from './slow-suites.ts'

test('every recorded test file is one of this repository, so that the longest do begin first', () => {
  const files = Object.keys(readSlowSuites())
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((file) => !/^(packages|scripts|examples)\//.test(file))).toEqual([])
})

test('the times of a run in another clone are recorded under the paths of this one', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-slow-suites-'))
  const [report, target] = [path.join(folder, 'report.json'), path.join(folder, 'slow.json')]
  const suite = (file: string, seconds: number) => ({ name: file, startTime: 0, endTime: seconds * 1000 })
  const here = 'scripts/slow-suites.test.ts'
  expect(existsSync(here)).toBe(true)
  const testResults = [
    suite(`/elsewhere/packages/${here}`, 40),
    suite(`/elsewhere/${here}`, 30),
    suite('/gone.ts', 99),
  ]
  writeFileSync(report, JSON.stringify({ testResults }))
  recordSlowSuites(report, target)
  expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ [here]: 40 })
  rmSync(folder, { recursive: true })
})

test('files that a run has left out keep their times as long as they exist, and those that are quick now lose them', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-slow-suites-'))
  const [report, target] = [path.join(folder, 'report.json'), path.join(folder, 'slow.json')]
  const [leftOut, quick, slow] = [
    'scripts/corpus.test.ts',
    'scripts/citations.test.ts',
    'scripts/demo.test.ts',
  ]
  writeFileSync(target, JSON.stringify({ [leftOut]: 50, [quick]: 40, 'scripts/removed.test.ts': 30 }))
  const testResults = [
    { name: `/elsewhere/${quick}`, startTime: 0, endTime: 2_000 },
    { name: `/elsewhere/${slow}`, startTime: 0, endTime: 60_000 },
  ]
  writeFileSync(report, JSON.stringify({ testResults }))
  recordSlowSuites(report, target)
  expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ [slow]: 60, [leftOut]: 50 })
  rmSync(folder, { recursive: true })
})
