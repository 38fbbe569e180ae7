import { beforeEach, expect } from 'vitest'

// A setup file: a test that asserts nothing is green whatever the code does, mostly because a generated case has nothing to
// ask. Tests that run beside each other share one count, so they are not asked; nor are those of `http/` and `journeys/`, of
// which many wait until something happens, and that is their assertion.
beforeEach(({ task }) => {
  const mayWait = /\/test\/(http|journeys|imports)\//.test(task.file.filepath)
  if (task.concurrent !== true && !mayWait) expect.hasAssertions()
})
