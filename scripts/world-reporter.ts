import type { Reporter, TestModule } from 'vitest/node'
import { runnableWorlds } from './service-suites.ts'

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

/** Prints how many tests each world ran, and fails the run when two worlds ran different ones. */
export default class WorldReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const ran = runnableWorlds
      .map(({ id, name }) => ({ name, ...testsOf(modules, id) }))
      .filter(({ names }) => names.size > 0)
    for (const { name, names, failed } of ran) {
      const outcome = failed > 0 ? `${failed} failed` : 'all passed'
      process.stdout.write(`world ${name}: ${names.size} tests, ${outcome}\n`)
    }
    for (const one of ran) {
      for (const other of ran) {
        const missing = [...one.names].filter((test) => !other.names.has(test))
        for (const test of missing.slice(0, namedMax)) {
          process.stdout.write(`ran on ${one.name} and not on ${other.name}: ${test}\n`)
        }
        if (missing.length > 0) process.exitCode = 1
      }
    }
  }
}
