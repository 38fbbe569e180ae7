import { beforeEach, expect } from 'vitest'

// A setup file: a test that asserts nothing is green whatever the code does, mostly because a generated case has nothing to
// ask. Tests that run beside each other share one count, so they are not asked.
beforeEach(({ task }) => {
  if (task.concurrent !== true) expect.hasAssertions()
})
