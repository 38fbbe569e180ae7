import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('bytes that pass are collected with the young objects, and only once a program has asked for it', async () => {
  const module = JSON.stringify(new URL('./passed-bytes.ts', import.meta.url).href)
  const program = `import { constants, PerformanceObserver } from 'node:perf_hooks'
    import { setTimeout } from 'node:timers/promises'
    import { collectPassedBytes, notePassed } from ${module}
    let count = 0
    new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MINOR) count += 1
    }).observe({ entryTypes: ['gc'] })
    const pass = async () => {
      count = 0
      for (let passed = 0; passed < 400; passed++) notePassed(2 ** 20)
      await setTimeout(50)
      return count
    }
    const before = await pass()
    collectPassedBytes()
    console.log(JSON.stringify([before < 10, await pass()]))`
  const flags = ['--conditions=@crmkit/source', '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, flags)
  const [isQuietBefore, collections] = JSON.parse(stdout)
  expect(isQuietBefore).toBe(true)
  expect(collections).toBeGreaterThanOrEqual(50)
})
