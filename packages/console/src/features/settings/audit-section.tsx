import type { AuditEntry } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { readAuditLog } from '../../api/audit.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { exactTime, momentTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { Cell, SettingsTable } from './settings-table.tsx'

/** The log of changes of the team, the newest first. */
export function AuditSection({ store }: { readonly store: Store }): JSX.Element {
  const { entries, problem, isReading, older, read } = useAuditLog(store)
  const texts = more.audit
  return (
    <>
      <p>{texts.hint}</p>
      {entries?.length === 0 && <Empty title={texts.none} hint={texts.noneHint} />}
      {entries !== undefined && entries.length > 0 && (
        <SettingsTable label={more.settings.names.audit} columns={texts.columns}>
          {entries.map((entry) => (
            <tr key={entry._id}>
              <Cell>
                <time dateTime={entry.at} title={exactTime(entry.at)}>
                  {momentTime(entry.at)}
                </time>
              </Cell>
              <Cell>{actorOf(store, entry)}</Cell>
              <Cell>{entry.count > 1 ? texts.times(entry.action, entry.count) : entry.action}</Cell>
              <Cell>{targetOf(store, entry)}</Cell>
              <Cell>{[...entry.changed, ...(entry.reason ? [entry.reason] : [])].join(', ')}</Cell>
            </tr>
          ))}
        </SettingsTable>
      )}
      {problem && <ProblemBox title={more.settings.failed} reason={problem} onRetry={read} />}
      {entries === undefined && !problem && <SkeletonRows count={6} rowHeight={40} />}
      {older && (
        <p>
          <Button isDisabled={isReading} onClick={read}>
            {texts.older}
          </Button>
        </p>
      )}
    </>
  )
}

function actorOf(store: Store, { actor: { type, _id } }: AuditEntry): string {
  if (_id === null) return t.activity.system
  return type === 'user' ? (userName(store, _id) ?? t.activity.former) : more.audit.key(_id)
}

function targetOf(store: Store, { target: { type, _id } }: AuditEntry): string {
  const inbox = store.inboxes.value.find((one) => one._id === _id)
  return `${type} ${userName(store, _id) ?? inbox?.name ?? _id}`
}

function userName({ users }: Store, id: string): string | undefined {
  const user = users.value.find(({ _id }) => _id === id)
  return user && nameOfUser(user)
}

function useAuditLog({ crm }: Store) {
  const [entries, setEntries] = useState<readonly AuditEntry[]>()
  const [cursor, setCursor] = useState<string | null>()
  const [problem, setProblem] = useState<Problem>()
  const [isReading, setReading] = useState(false)
  const read = async () => {
    setReading(true)
    setProblem(undefined)
    try {
      const { data, nextCursor } = await readAuditLog(crm, cursor ?? undefined)
      setEntries((known = []) => [...known, ...data])
      setCursor(nextCursor)
    } catch (error) {
      setProblem(problemOf(error))
    }
    setReading(false)
  }
  useEffect(() => void read(), [])
  return { entries, problem, isReading, older: typeof cursor === 'string', read: () => void read() }
}
