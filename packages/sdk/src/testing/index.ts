export { type FakeClock, fakeClock } from './fake-clock.ts'
export {
  callOf,
  type FailureParts,
  type FakeCall,
  type FakeReplies,
  fakeFetch,
  fakeRoutes,
  makeFailure,
  respondToOperation,
} from './fake-service.ts'
export { type EventOf, makeEvent } from './make-event.ts'
export { nextId, type Overrides } from './overrides.ts'
export type { Replies } from './sample-replies.gen.ts'
export * from './samples.gen.ts'
export {
  type SignableEvent,
  type SignedDelivery,
  type SigningOptions,
  signedDelivery,
  signedRequest,
  testSecret,
} from './signed-request.ts'
