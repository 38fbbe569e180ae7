import { globSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { runnableWorlds, suitesOf } from './service-suites.ts'

const namedMax = 10

/** The tests of one world that ran, by file and name, and how many of them failed. */
function testsOf(modules: readonly TestModule[], world: string): { names: Set<string>; failed: number } {
  const names = new Set<string>()
  let failed = 0
  for (const module of modules) {
    if (module.project.name !== world) continue
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'skipped') continue
      names.add(`${module.relativeModuleId} > ${test.fullName}`)
      if (state !== 'passed') failed += 1
    }
  }
  return { names, failed }
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

/** Prints how many tests each world ran, and fails the run when two worlds ran different ones of the files of both. */
export default class WorldReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const finding of retriedOf(modules)) process.stdout.write(`${finding}\n`)
    const ran = runnableWorlds
      .map(({ id, name }) => ({ name, files: globSync([...suitesOf(id)]), ...testsOf(modules, id) }))
      .filter(({ names }) => names.size > 0)
    for (const { name, names, failed } of ran) {
      const outcome = failed > 0 ? `${failed} failed` : 'all passed'
      process.stdout.write(`world ${name}: ${names.size} tests, ${outcome}\n`)
    }
    for (const one of ran) {
      for (const other of ran) {
        const isOfOther = (test: string) => other.files.includes(test.split(' > ')[0] ?? '')
        const missing = [...one.names].filter((test) => isOfOther(test) && !other.names.has(test))
        for (const test of missing.slice(0, namedMax)) {
          process.stdout.write(`ran on ${one.name} and not on ${other.name}: ${test}\n`)
        }
        if (missing.length > 0) process.exitCode = 1
      }
    }
  }
}
