import { figureMarkOfConversation } from '../storage/rules/figure-marks.ts'
import { upgradeStep } from './upgrade-step.ts'

/**
 * Has the conversations of before counted. Every conversation needs it by its row alone; one that is counted is counted the same.
 * The second pass meets rows that a process of before has written behind the first one.
 */
export const figuresStep = upgradeStep({
  name: 'figures',
  kind: 'conversations',
  since: '0.3.0',
  needs: ({ mergedInto }) => !mergedInto,
  async upgrade({ _id, tenantId }, { ids, now: at }) {
    return {
      writes: [
        { op: 'insert', kind: 'figureMarks', row: figureMarkOfConversation({ tenantId, ids, at }, _id) },
      ],
    }
  },
})
