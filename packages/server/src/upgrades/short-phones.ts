import { phoneTail } from '../storage/sort-keys.ts'
import { upgradeStep } from './upgrade-step.ts'

/** A number of more digits has had its end stored from the beginning. */
const shortMax = 7

/** No field shows whether the end of a number is stored, so `needs` stays true of a row that the step has changed. */
function isShort(phone: string | null): boolean {
  const tail = phoneTail(phone)
  return tail !== null && tail.length <= shortMax
}

/** Makes customers of an earlier version found by a short number that is written without the code of its country. */
export const shortPhonesStep = upgradeStep({
  name: 'shortPhones',
  kind: 'customers',
  since: '0.3.0',
  needs: ({ profile }) => isShort(profile.phone),
  async upgrade({ _id: id, version: expectVersion }) {
    return { writes: [{ op: 'update', kind: 'customers', id, expectVersion, set: {}, renewsKeys: true }] }
  },
})
