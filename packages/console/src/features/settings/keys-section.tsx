import type { ApiKey, CreatedApiKey } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { readApiKeys } from '../../api/api-keys.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { momentTime } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty, ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { KeyDetails } from './key-details.tsx'
import { NewKey } from './new-key.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { styles } from './settings-styles.ts'
import { Cell, SettingsTable } from './settings-table.tsx'

/** The API keys of the team. */
export function KeysSection({ store }: { readonly store: Store }): JSX.Element {
  const { keys, problem, read, put } = useKeys(store)
  const [doing, setDoing] = useState<'new' | ApiKey>()
  const [created, setCreated] = useState<CreatedApiKey>()
  const texts = more.settings.keys
  const close = () => setDoing(undefined)
  return (
    <>
      <p style={styles.actions}>
        <Button kind="primary" onClick={() => setDoing('new')}>
          {texts.new}
        </Button>
      </p>
      {problem && <ProblemBox title={more.settings.failed} reason={problem} onRetry={read} />}
      {keys === undefined && !problem && <SkeletonRows count={4} rowHeight={40} />}
      {keys?.length === 0 && <Empty title={texts.none} hint={texts.noneHint} />}
      {keys !== undefined && keys.length > 0 && <KeysTable keys={keys} onOpen={setDoing} />}
      {doing === 'new' && (
        <Dialog title={texts.new} onClose={close}>
          <NewKey
            store={store}
            onCreated={(key) => {
              close()
              const { key: _, ...row } = key
              put(row)
              setCreated(key)
            }}
          />
        </Dialog>
      )}
      {created && (
        <SecretDialog
          title={texts.secret(created.name)}
          secret={created.key}
          texts={texts}
          onClose={() => setCreated(undefined)}
        />
      )}
      {typeof doing === 'object' && (
        <Dialog title={doing.name} onClose={close}>
          <KeyDetails
            store={store}
            apiKey={doing}
            onRevoked={(key) => {
              put(key)
              close()
            }}
          />
        </Dialog>
      )}
    </>
  )
}

function useKeys({ crm }: Store) {
  const [keys, setKeys] = useState<readonly ApiKey[]>()
  const [problem, setProblem] = useState<Problem>()
  const read = () => {
    setProblem(undefined)
    readApiKeys(crm).then(setKeys, (error) => setProblem(problemOf(error)))
  }
  useEffect(read, [])
  const put = (key: ApiKey) =>
    setKeys((known = []) =>
      known.some(({ _id }) => _id === key._id)
        ? known.map((one) => (one._id === key._id ? key : one))
        : [key, ...known],
    )
  return { keys, problem, read, put }
}

interface KeysTableProps {
  readonly keys: readonly ApiKey[]
  readonly onOpen: (key: ApiKey) => void
}

function KeysTable({ keys, onOpen }: KeysTableProps): JSX.Element {
  const texts = more.settings.keys
  const names: Readonly<Record<string, string>> = texts.permissionNames
  return (
    <SettingsTable label={more.settings.names.keys} columns={texts.columns}>
      {keys.map((key) => (
        <tr key={key._id}>
          <Cell>{key.name}</Cell>
          <Cell>{key.permissions.map((one) => names[one] ?? one).join(', ')}</Cell>
          <Cell>{`${key.keyPrefix}…${key.keyHint}`}</Cell>
          <Cell>{key.lastUsedAt ? momentTime(key.lastUsedAt) : texts.never}</Cell>
          <Cell>{stateOf(key)}</Cell>
          <Cell>
            <Button isSmall onClick={() => onOpen(key)}>
              {key.isActive && !key.revokedAt ? texts.revokeOf(key.name) : texts.usageOf(key.name)}
            </Button>
          </Cell>
        </tr>
      ))}
    </SettingsTable>
  )
}

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  const texts = more.settings.keys
  if (revokedAt) return texts.revoked(momentTime(revokedAt))
  if (expiresAt === null) return texts.active
  const isOver = Date.parse(expiresAt) <= Date.now()
  return (isOver ? texts.expired : texts.expires)(momentTime(expiresAt))
}
