import { phoneTail } from '../storage/sort-keys.ts'
import { upgradeStep } from './upgrade-step.ts'

/** Makes the calls of an earlier version found by their numbers. No field shows that a call is, so `needs` stays true of it. */
export const phonesOfCallsStep = upgradeStep({
  name: 'phonesOfCalls',
  kind: 'calls',
  since: '0.3.0',
  needs: ({ from, to }) => phoneTail(from) !== null || phoneTail(to) !== null,
  async upgrade({ _id: id, version: expectVersion }) {
    return { writes: [{ op: 'update', kind: 'calls', id, expectVersion, set: {}, renewsKeys: true }] }
  },
})
