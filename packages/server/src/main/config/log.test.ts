import { expect, it } from 'vitest'
import { createLog, forPeople } from './log.ts'

it('writes lines for people on the terminal of a developer: the time, what is wrong, the sentence, its fields', () => {
  let written = ''
  const log = createLog('info', forPeople({ write: (text) => (written += text) }))
  log.info({}, 'Development: webhooks may go to this machine')
  log.warn({ url: 'http://127.0.0.1:1' }, 'Nothing listens there')
  log.error({ err: new Error('It broke') }, 'A job failed')
  const [first, second, third, stack] = written.split('\n')
  expect(first).toMatch(/^\d\d:\d\d:\d\d Development: webhooks may go to this machine$/)
  expect(second).toMatch(/^\d\d:\d\d:\d\d warn: Nothing listens there \{"url":"http:\/\/127\.0\.0\.1:1"\}$/)
  expect(third).toMatch(/^\d\d:\d\d:\d\d error: A job failed$/)
  expect(stack).toBe('Error: It broke')
})
