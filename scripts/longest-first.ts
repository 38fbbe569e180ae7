import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readSlowSuites } from './slow-suites.ts'

/**
 * Begins with the files that take longest, so that none of them runs alone at the end. The runner knows the times of its own
 * machine only, and a fresh clone has none: these are in the repository.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = readSlowSuites()
    const secondsOf = ({ moduleId }: TestSpecification) =>
      Object.entries(seconds).find(([file]) => moduleId.endsWith(file))?.[1] ?? 0
    const timed = (await super.sort(files)).map((file) => ({ file, seconds: secondsOf(file) }))
    return timed.sort((one, other) => other.seconds - one.seconds).map(({ file }) => file)
  }
}
