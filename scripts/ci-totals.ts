import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describeLeftOutSuites } from './service-suites.ts'

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    /** Why it broke before its first test; empty otherwise. */
    readonly message: string
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      /** Of each try that failed, so a test that passed only when it ran again has some too. */
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

const namedMax = 30
/** Enough for the error and the line of the test; the rest of a stack stands where the test ran. */
const explainedLinesMax = 12
const slowestMax = 15
/** More tests that passed only at their second try are no chance: something broke. */
const findingsMax = 3

/**
 * Writes "passed failed skipped" of one test run, and to stderr which tests failed and which passed only when they ran again, and which files took longest. A suite that broke before its first test is a failure, and so is
 * a run that wrote no report or failed for another reason, and one with more than three tests that passed only when they ran again; a suite left out for want of a service is one skipped.
 */
export function printTotals(reportFile: string, testsExitCode: number): void {
  const report: VitestReport = existsSync(reportFile)
    ? JSON.parse(readFileSync(reportFile, 'utf8'))
    : { testResults: [] }
  const tests = report.testResults.flatMap((suite) => suite.assertionResults)
  const count = (status: string): number => tests.filter((test) => test.status === status).length
  const brokenSuites = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length
  const passed = count('passed')
  const failed = count('failed') + brokenSuites
  const skipped = tests.length - passed - count('failed') + describeLeftOutSuites().length
  const unexplained = failed === 0 && (testsExitCode !== 0 || passed === 0) ? 1 : 0
  const findings = findingsOf(report)
  const unstable = findings.length > findingsMax ? 1 : 0
  if (unstable) findings.push(`failed: more than ${findingsMax} tests passed only when they ran again`)
  process.stderr.write([...failuresOf(report), ...slowestOf(report), ...findings, ''].join('\n'))
  process.stdout.write(`${passed} ${failed + unexplained + unstable} ${skipped}\n`)
}

/** A race or a bound that is too small, in the product or in the test: the next thing to mend. */
function findingsOf({ testResults }: VitestReport): string[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(
        ({ fullName, failureMessages }) =>
          `finding: passed only when it ran again: ${relative('.', name)} > ${fullName}${explained(failureMessages.join('\n'))}`,
      ),
  )
}

/** Stands at the end of a log of hours, where a reader begins. */
function failuresOf({ testResults }: VitestReport): string[] {
  const lines = testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      const file = relative('.', name)
      if (failed.length === 0) return [`failed before its first test: ${file}${explained(message)}`]
      return failed.map(
        ({ fullName, failureMessages }) =>
          `failed: ${file} > ${fullName}${explained(failureMessages.join('\n'))}`,
      )
    })
  return lines.slice(0, namedMax)
}

function explained(message: string): string {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, explainedLinesMax)
  return lines.map((line) => `\n    ${line}`).join('')
}

function slowestOf({ testResults }: VitestReport): string[] {
  const timed = testResults.map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime }))
  return timed
    .sort((one, other) => other.ms - one.ms)
    .slice(0, slowestMax)
    .map(({ name, ms }) => `${String(Math.round(ms / 1000)).padStart(4)} s ${relative('.', name)}`)
}
