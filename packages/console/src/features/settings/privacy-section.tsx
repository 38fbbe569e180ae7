import type { PrivacyRequest, PrivacyRequestsListQuery } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { type PrivacyPage, readPrivacyRequests } from '../../api/privacy.ts'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { t } from '../../strings/strings.ts'
import { momentTime, shortTime } from '../../strings/times.ts'
import { wordOf } from '../../strings/word-of.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty, ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { PrivacyDecision } from './privacy-decision.tsx'
import { Cell, SettingsTable } from './settings-table.tsx'
import { useFresh } from './use-fresh.ts'

type Status = NonNullable<PrivacyRequestsListQuery['status']>

const pageSize = 50
const pollMs = 2_000

/** The requests of the team about their own data, on which admins decide. */
export function PrivacySection({ store }: { readonly store: Store }): JSX.Element {
  const [status, setStatus] = useState<Status>()
  const [pages, setPages] = useState(1)
  const [openId, setOpenId] = useState<string>()
  const { value, problem, read } = useFresh(() => readPages(store, status, pages), `${status} ${pages}`)
  const texts = more.privacy
  const requests = value?.data
  // One that another admin has moved out of the chosen state stays open in its dialog.
  const open = useLast(
    requests?.find(({ _id }) => _id === openId),
    openId,
  )
  useEffect(() => {
    // The service completes an erasure by itself.
    if (!requests?.some(isErasing)) return
    const timer = setTimeout(read, pollMs)
    return () => clearTimeout(timer)
  }, [requests])
  return (
    <>
      <p>{texts.hint}</p>
      <p class="hint">{texts.customersHint}</p>
      <StatusField
        status={status}
        onChange={(chosen) => {
          setPages(1)
          setStatus(chosen)
        }}
      />
      {problem && <ProblemBox title={more.settings.failed} reason={problem} onRetry={read} />}
      {requests === undefined && !problem && <SkeletonRows count={4} rowHeight={40} />}
      {requests?.length === 0 && <Empty title={texts.none} hint={texts.noneHint} />}
      {requests !== undefined && requests.length > 0 && (
        <RequestsTable store={store} requests={requests} onOpen={setOpenId} />
      )}
      {value?.hasMore && (
        <p>
          <Button onClick={() => setPages(pages + 1)}>{texts.older}</Button>
        </p>
      )}
      {open && (
        <Dialog
          title={`${wordOf(texts.types, open.type)}: ${personOf(store, open.userId)}`}
          onClose={() => setOpenId(undefined)}
        >
          <PrivacyDecision
            store={store}
            request={open}
            name={personOf(store, open.userId)}
            onChanged={read}
            onDecided={() => setOpenId(undefined)}
          />
        </Dialog>
      )}
    </>
  )
}

function isErasing({ type, status }: PrivacyRequest): boolean {
  return type === 'deletion' && status === 'processing'
}

/** The last value that was there for this key; undefined without a key. */
function useLast<T>(value: T | undefined, key: string | undefined): T | undefined {
  const [last, setLast] = useState<{ key: string; value: T }>()
  useEffect(() => {
    if (value !== undefined && key !== undefined) setLast({ key, value })
  }, [value, key])
  if (key === undefined) return undefined
  return value ?? (last?.key === key ? last.value : undefined)
}

/** Reads all pages that are shown anew: a decision moves a request to another one. */
async function readPages({ crm }: Store, status: Status | undefined, count: number): Promise<PrivacyPage> {
  const pages = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      readPrivacyRequests(crm, { ...(status && { status }), page: index + 1, limit: pageSize }),
    ),
  )
  const data = new Map(pages.flatMap((page) => page.data).map((request) => [request._id, request]))
  return { data: [...data.values()], hasMore: pages.at(-1)?.hasMore ?? false }
}

/** A person who was erased since is in no list any more. */
function personOf({ users }: Store, id: string): string {
  const user = users.value.find(({ _id }) => _id === id)
  return user ? nameOfUser(user) : t.activity.former
}

interface StatusFieldProps {
  readonly status: Status | undefined
  readonly onChange: (status: Status | undefined) => void
}

function StatusField({ status, onChange }: StatusFieldProps): JSX.Element {
  const id = useId()
  const texts = more.privacy
  return (
    <div class="field">
      <label for={id}>{texts.filter}</label>
      <select
        id={id}
        class="input"
        value={status ?? ''}
        onChange={({ currentTarget }) => onChange((currentTarget.value || undefined) as Status | undefined)}
      >
        <option value="">{texts.all}</option>
        {Object.entries(texts.states).map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

interface RequestsTableProps {
  readonly store: Store
  readonly requests: readonly PrivacyRequest[]
  readonly onOpen: (id: string) => void
}

function RequestsTable({ store, requests, onOpen }: RequestsTableProps): JSX.Element {
  const texts = more.privacy
  return (
    <SettingsTable label={more.settings.names.privacy} columns={texts.columns}>
      {requests.map(({ _id, userId, type, status, createdAt, dueAt, isOverdue }) => (
        <tr key={_id}>
          <Cell>{personOf(store, userId)}</Cell>
          <Cell>{wordOf(texts.types, type)}</Cell>
          <Cell>{wordOf(texts.states, status)}</Cell>
          <Cell>{momentTime(createdAt)}</Cell>
          <Cell>{isOverdue ? texts.overdue(shortTime(dueAt)) : shortTime(dueAt)}</Cell>
          <Cell>
            <Button isSmall onClick={() => onOpen(_id)}>
              {texts.open(wordOf(texts.types, type), personOf(store, userId))}
            </Button>
          </Cell>
        </tr>
      ))}
    </SettingsTable>
  )
}
