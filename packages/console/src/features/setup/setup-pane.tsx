import type { TenantSetup } from '@crmkit/sdk'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { addSampleData, changeSetup } from '../../api/getting-in.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import { setupOf } from '../../store/setup.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { ChannelStep } from './channel-step.tsx'
import { InviteStep } from './invite-step.tsx'

interface SetupPaneProps {
  readonly store: Store
  /** The address of the list with the conversations that wait. */
  readonly waitingAddress: string
  /** Returns false when the browser refuses notices of the desktop. */
  readonly switchNoticesOn: () => Promise<boolean>
  readonly onHidden: () => void
  /** Rows that no live event has announced are there. */
  readonly onSamplesAdded: () => void
  /** Shows the views on a narrow screen. */
  readonly onMenu: () => void
}

type StepId = keyof typeof more.setup.steps
type Step = TenantSetup['steps'][number] & { readonly id: StepId }

/** A later version of the service may have further steps. */
function knownSteps(list: TenantSetup | undefined): readonly Step[] | undefined {
  return list?.steps.filter((step): step is Step => step.id in more.setup.steps)
}

const bodyStyle = { maxWidth: '720px', padding: '0 14px 24px', overflowY: 'auto' } as const

/** The first steps of a new team, each with the means to do it. */
export function SetupPane(props: SetupPaneProps): JSX.Element {
  const { store, onHidden, onSamplesAdded, onMenu } = props
  const { list, read } = setupOf(store)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const attempt = async (work: () => Promise<unknown>) => {
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(problemOf(error))
    }
  }
  useEffect(() => void attempt(read), [])
  const steps = knownSteps(list.value)
  const doneCount = steps?.filter(({ done }) => done).length ?? 0
  const change = (body: Parameters<typeof changeSetup>[1]) =>
    attempt(async () => {
      list.value = await changeSetup(store.crm, body)
    })
  const addSamples = async () => {
    await addSampleData(store.crm)
    await read()
    onSamplesAdded()
  }
  return (
    <section class="list-pane setup" aria-label={more.setup.title}>
      <header class="list-head">
        <h1>{more.setup.title}</h1>
        <Button kind="plain" isSmall onClick={() => void change({ dismissed: true }).then(onHidden)}>
          {more.setup.hide}
        </Button>
        <IconButton class="nav-open" icon="menu" label={t.nav.openMenu} onClick={onMenu} />
      </header>
      <div style={bodyStyle}>
        {problem && <ProblemBox title={more.setup.failed} reason={problem} />}
        {steps === undefined && !problem && <SkeletonRows count={4} rowHeight={84} />}
        {steps && (
          <p role="status">
            {doneCount === steps.length ? more.setup.allDone : more.setup.count(doneCount, steps.length)}
          </p>
        )}
        {list.value?.sampleData === null && <SampleOffer onAdd={() => void attempt(addSamples)} />}
        {steps?.map((step) => (
          <StepSection key={step.id} step={step}>
            <StepBody {...props} step={step} attempt={attempt} change={change} />
          </StepSection>
        ))}
      </div>
    </section>
  )
}

function SampleOffer({ onAdd }: { readonly onAdd: () => void }): JSX.Element {
  return (
    <section aria-label={more.samples.title} style={{ padding: '0 0 12px' }}>
      <p>{more.samples.invite}</p>
      <Button onClick={onAdd}>{more.samples.add}</Button>
    </section>
  )
}

function StepSection({
  step: { id, done, detail },
  children,
}: {
  readonly step: Step
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <section
      aria-label={more.setup.steps[id]}
      style={{ padding: '12px 0', borderTop: '1px solid var(--line)' }}
    >
      <h2 style={{ display: 'flex', gap: '8px', alignItems: 'center', fontSize: '15px' }}>
        <span style={{ color: done ? 'var(--accent)' : 'var(--text-soft)' }}>
          <Icon name={done ? 'check' : 'clock'} />
        </span>
        {more.setup.steps[id]}
        <span class="hidden-text">{done ? more.setup.done : more.setup.open}</span>
      </h2>
      {detail && <p role="alert">{more.setup.stopped(detail)}</p>}
      {children}
    </section>
  )
}

interface StepBodyProps extends SetupPaneProps {
  readonly step: Step
  readonly attempt: (work: () => Promise<unknown>) => Promise<void>
  readonly change: (body: Parameters<typeof changeSetup>[1]) => Promise<void>
}

function StepBody({
  step,
  store,
  waitingAddress,
  switchNoticesOn,
  attempt,
  change,
}: StepBodyProps): JSX.Element {
  switch (step.id) {
    case 'channel':
      return <ChannelStep store={store} attempt={attempt} isDone={step.doneAt !== null} />
    case 'invite':
      return <InviteStep store={store} attempt={attempt} />
    case 'answer':
      return (
        <p>
          {more.setup.answer} <a href={waitingAddress}>{more.setup.waiting}</a>
        </p>
      )
    case 'notifications':
      return (
        <NoticesStep
          isDone={step.done}
          switchNoticesOn={switchNoticesOn}
          onOn={() => change({ notifications: true })}
        />
      )
  }
}

function NoticesStep({
  isDone,
  switchNoticesOn,
  onOn,
}: Pick<SetupPaneProps, 'switchNoticesOn'> & {
  readonly isDone: boolean
  readonly onOn: () => Promise<void>
}): JSX.Element {
  const [isRefused, setRefused] = useState(false)
  const switchOn = async () => {
    const isOn = await switchNoticesOn()
    setRefused(!isOn)
    if (isOn) await onOn()
  }
  return (
    <>
      <p>{more.setup.notices}</p>
      {!isDone && <Button onClick={() => void switchOn()}>{more.setup.noticesOn}</Button>}
      {isRefused && (
        <p class="field-error" role="alert">
          {more.notices.refused}
        </p>
      )}
    </>
  )
}
