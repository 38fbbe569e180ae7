import { globSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { runnableWorlds, suitesOf } from './service-suites.ts'

const namedMax = 10

interface TestsOfWorld {
  readonly names: Set<string>
  /** Tests that cannot run in this world, with the reason that they give. */
  readonly leftOut: Map<string, string>
  failed: number
}

/** The tests of one world that ran, by file and name, and how many of them failed. */
function testsOf(modules: readonly TestModule[], world: string): TestsOfWorld {
  const tests: TestsOfWorld = { names: new Set(), leftOut: new Map(), failed: 0 }
  for (const module of modules) {
    if (module.project.name !== world) continue
    for (const test of module.children.allTests()) {
      const result = test.result()
      const name = `${module.relativeModuleId} > ${test.fullName}`
      if (result.state !== 'skipped') tests.names.add(name)
      else if (result.note !== undefined) tests.leftOut.set(name, result.note)
      if (result.state === 'failed') tests.failed += 1
    }
  }
  return tests
}

/** Tests that failed first and passed when they ran again: a fault of the product or of the test, which the retry hides. */
function retriedOf(modules: readonly TestModule[]): string[] {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  return tests.flatMap((test) => {
    const retries = test.diagnostic()?.retryCount ?? 0
    const { state, errors = [] } = test.result()
    if (retries === 0 || state !== 'passed') return []
    const name = `${test.module.relativeModuleId} > ${test.fullName}`
    return [
      `finding: passed only when it ran again (${retries}): ${name}`,
      ...errors.map(({ stack, message }) => `    ${stack ?? message}`),
    ]
  })
}

/**
 * Prints how many tests each world ran, and fails the run when two worlds ran different ones of the files of both, unless a test has
 * said why it cannot run in one of them.
 */
export default class WorldReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const finding of retriedOf(modules)) process.stdout.write(`${finding}\n`)
    const ran = runnableWorlds
      .map(({ id, name }) => ({ name, files: globSync([...suitesOf(id)]), ...testsOf(modules, id) }))
      .filter(({ names }) => names.size > 0)
    for (const { name, names, leftOut, failed } of ran) {
      const outcome = failed > 0 ? `${failed} failed` : 'all passed'
      process.stdout.write(`world ${name}: ${names.size} tests, ${outcome}\n`)
      for (const [test, reason] of leftOut) process.stdout.write(`left out on ${name}: ${test}: ${reason}\n`)
    }
    for (const one of ran) {
      for (const other of ran) {
        const isOfOther = (test: string) => other.files.includes(test.split(' > ')[0] ?? '')
        const isKnown = (test: string) => other.names.has(test) || other.leftOut.has(test)
        const missing = [...one.names].filter((test) => isOfOther(test) && !isKnown(test))
        for (const test of missing.slice(0, namedMax)) {
          process.stdout.write(`ran on ${one.name} and not on ${other.name}: ${test}\n`)
        }
        if (missing.length > 0) process.exitCode = 1
      }
    }
  }
}
