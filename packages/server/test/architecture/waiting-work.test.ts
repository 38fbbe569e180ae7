import { readFileSync } from 'node:fs'
import { expect, expectTypeOf, it } from 'vitest'
import type { JobDeclaration } from '../../src/jobs/background-job.ts'
import { backgroundJobs, jobBacklogs, jobNames } from '../../src/main/compose/job-registry.ts'

it('docs/operating.md has a row for the work that waits for each background job, as the job declares it', () => {
  const page = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8')
  const [, section = ''] = /^## Waiting work\n(.*?)^## /ms.exec(page) ?? []
  const rows = section.split('\n').filter((line) => line.startsWith('| `') && !line.startsWith('| `work`'))
  const expected = [...jobBacklogs].map(
    ([job, { waits, lateAfterMinutes }]) => `| \`${job}\` | ${waits} | ${lateAfterMinutes} min |`,
  )
  expect(rows).toEqual(expected)
})

it('a job without waiting work says why, and none is declared without a word about it', () => {
  expectTypeOf<Omit<JobDeclaration, 'backlog'>>().not.toExtend<JobDeclaration>()
  const silent = jobNames.filter((job) => 'none' in backgroundJobs[job].backlog)
  expect(silent).toEqual(['sweep', 'labelDays', 'retention'])
})
