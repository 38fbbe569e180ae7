import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { removeSampleData } from '../../api/getting-in.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import { isAdmin } from '../../store/roles.ts'
import { setupOf } from '../../store/setup.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { Banner, ReasonText } from '../../ui/states.tsx'

interface SampleLineProps {
  readonly store: Store
}

/** Says above all screens that there are sample data, with the button that removes them. Only admins can. */
export function SampleLine({ store }: SampleLineProps): JSX.Element | null {
  return isAdmin(store) ? <LineOfAdmin store={store} /> : null
}

function LineOfAdmin({ store }: SampleLineProps): JSX.Element | null {
  const { list, read } = setupOf(store)
  const [stage, setStage] = useState<'shown' | 'asked' | 'sending'>('shown')
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  if (!list.value?.sampleData) return null
  const remove = async () => {
    setStage('sending')
    setProblem(undefined)
    try {
      await removeSampleData(store.crm)
      // The rows leave the screen by their live events.
      await read()
    } catch (error) {
      setProblem(problemOf(error))
    }
    setStage('shown')
  }
  return (
    <Banner>
      <span>
        <strong>{more.samples.title}</strong> {stage === 'shown' ? more.samples.line : more.samples.question}
      </span>
      {stage === 'shown' ? (
        <Button isSmall onClick={() => setStage('asked')}>
          {more.samples.remove}
        </Button>
      ) : (
        <>
          <Button isSmall isDisabled={stage === 'sending'} onClick={() => void remove()}>
            {more.samples.removeAll}
          </Button>
          <Button isSmall kind="plain" isDisabled={stage === 'sending'} onClick={() => setStage('shown')}>
            {more.samples.keep}
          </Button>
        </>
      )}
      {problem && (
        <div>
          <ReasonText reason={problem} />
        </div>
      )}
    </Banner>
  )
}
