import type { EmailTest, Inbox } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { locale } from '../../strings/strings.ts'
import { wordOf } from '../../strings/word-of.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { styles } from './settings-styles.ts'

interface InboxTestProps {
  readonly store: Store
  readonly inbox: Inbox
}

/** Tries the mail servers of an inbox step by step. */
export function InboxTest({ store, inbox }: InboxTestProps): JSX.Element {
  const id = useId()
  const [to, setTo] = useState(store.me.email)
  const [result, setResult] = useState<EmailTest>()
  const { isSending, problem, send } = useSending()
  const texts = more.inboxes
  const test = async () => {
    setResult(undefined)
    setResult(await store.crm.inboxes.testEmail(inbox._id, to.trim() ? { to: to.trim() } : {}))
  }
  return (
    <form
      style={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        send(test)
      }}
    >
      <h3>{texts.test}</h3>
      {inbox.email.transport !== 'none' && (
        <div class="field">
          <label for={id}>{texts.testTo}</label>
          <input
            id={id}
            class="input"
            type="email"
            value={to}
            onInput={({ currentTarget }) => setTo(currentTarget.value)}
          />
          <small>{texts.testToHint}</small>
        </div>
      )}
      <ProblemText
        problem={problem?.code === 'INVALID_STATE' ? { ...problem, sentence: texts.noServer } : problem}
      />
      <p>
        <Button type="submit" isDisabled={isSending}>
          {texts.testNow}
        </Button>
      </p>
      <div role="status">
        {result && (
          <>
            <p>{result.ok ? texts.testDone : texts.testFailed}</p>
            <ul>
              {result.steps.map((step) => (
                <li key={`${step.server} ${step.step}`}>{sentenceOf(step)}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </form>
  )
}

function sentenceOf({ server, step, ok, ms, error }: EmailTest['steps'][number]): string {
  const texts = more.inboxes
  const names = [wordOf(texts.servers, server), wordOf(texts.steps, step)] as const
  return ok ? texts.stepDone(...names, ms.toLocaleString(locale)) : texts.stepFailed(...names, error ?? '')
}
