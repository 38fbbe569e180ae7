import { existsSync, readFileSync } from 'node:fs'
import { describeLeftOutSuites } from './service-suites.ts'

interface VitestReport {
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

/**
 * Writes "passed failed skipped" of one test run. A suite that broke before its first test is a failure, and so is
 * a run that wrote no report or failed for another reason; a suite left out for want of a service is one skipped.
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
  process.stdout.write(`${passed} ${failed + unexplained} ${skipped}\n`)
}
