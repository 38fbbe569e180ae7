import type { UnmergedCustomers } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { nameOfCustomer } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { momentTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemText, useSending } from '../../ui/sending.tsx'
import { chosenMerge } from './chosen-merge.ts'

interface UnmergeProps {
  readonly store: Store
  readonly addressOf: (conversationId: string) => string
  readonly onClose: () => void
}

/** Says what goes back, takes the chosen merge back, and names what did not go back: the inside of its dialog. */
export function UnmergeContent({ store, addressOf, onClose }: UnmergeProps): JSX.Element | null {
  // Of the moment at which the dialog was opened.
  const [chosen] = useState(chosenMerge.peek())
  const [result, setResult] = useState<UnmergedCustomers | undefined>(undefined)
  const { isSending, problem, send } = useSending()
  if (chosen === undefined) return null
  const { customer, merge } = chosen
  if (result !== undefined)
    return <Kept store={store} result={result} addressOf={addressOf} onClose={onClose} />
  const unmerge = async () => {
    const reply = await store.crm.customers.unmerge(customer._id, { sourceId: merge.sourceId })
    for (const one of [reply.source, reply.target]) store.conversations.customers.put(one)
    if (reply.kept.length > 0) setResult(reply)
    else onClose()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send(unmerge, more.unmerge.done)
      }}
    >
      <p dir="auto">{more.unmerge.hint(merge.sourceName, nameOfCustomer(customer))}</p>
      <p>{more.unmerge.until(momentTime(merge.undoableUntil))}</p>
      {problem?.kind === 'conflict' ? (
        <p class="field-error" role="alert">
          {problem.code === 'INVALID_STATE' ? more.unmerge.busy : more.unmerge.conflict}
        </p>
      ) : (
        <ProblemText problem={problem} />
      )}
      <Button type="submit" kind="primary" isDisabled={isSending}>
        {t.actions.unmergeCustomers}
      </Button>
    </form>
  )
}

interface KeptProps extends Pick<UnmergeProps, 'store' | 'addressOf' | 'onClose'> {
  readonly result: UnmergedCustomers
}

function Kept({ store, result: { source, target, kept }, addressOf, onClose }: KeptProps): JSX.Element {
  return (
    <>
      <p dir="auto">{more.unmerge.both(nameOfCustomer(source), nameOfCustomer(target))}</p>
      <p>{more.unmerge.kept}</p>
      <ul class="addresses">
        {kept.map((one) => (
          <li key={one} dir="auto">
            {one.startsWith('con_') ? (
              <a href={addressOf(one)} onClick={onClose}>
                {store.conversations.rows.peek(one)?.subject || more.unmerge.conversation}
              </a>
            ) : (
              nameOfKept(one)
            )}
          </li>
        ))}
      </ul>
      <Button onClick={onClose}>{t.common.close}</Button>
    </>
  )
}

/** Paths of fields, and ids of calls and of other systems. */
function nameOfKept(path: string): string {
  const field = path.replace(/^(profile|customFields)\./, '')
  if (field.startsWith('cal_')) return more.unmerge.call
  const name: unknown = Reflect.get(more.edit.fields, field)
  return typeof name === 'string' && !path.startsWith('customFields.') ? name : field
}
