import { expect, it } from 'vitest'

it('views.list keeps a promise that is not written down yet', () => {
  expect.fail('Say here what GET /api/v1/views guarantees and refuses, call it, and give this test a title')
})

it('views.get keeps a promise that is not written down yet', () => {
  expect.fail(
    'Say here what GET /api/v1/views/{id} guarantees and refuses, call it, and give this test a title',
  )
})

it('views.create keeps a promise that is not written down yet', () => {
  expect.fail('Say here what POST /api/v1/views guarantees and refuses, call it, and give this test a title')
})

it('views.update keeps a promise that is not written down yet', () => {
  expect.fail(
    'Say here what PUT /api/v1/views/{id} guarantees and refuses, call it, and give this test a title',
  )
})

it('views.delete keeps a promise that is not written down yet', () => {
  expect.fail(
    'Say here what DELETE /api/v1/views/{id} guarantees and refuses, call it, and give this test a title',
  )
})
