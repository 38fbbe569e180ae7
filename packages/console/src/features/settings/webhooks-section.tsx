import type { CreatedWebhook, Webhook } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import { createWebhook, readWebhooks } from '../../api/webhooks.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { wordOf } from '../../strings/word-of.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { navigate } from '../../ui/navigation.ts'
import { Empty, ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { styles } from './settings-styles.ts'
import { Cell, SettingsTable } from './settings-table.tsx'
import { WebhookDetails } from './webhook-details.tsx'
import { WebhookForm } from './webhook-form.tsx'

export interface SectionProps {
  readonly store: Store
  /** A part of the address: the id of the row that is open. */
  readonly item: string | undefined
  readonly addressOf: (item?: string) => string
}

/** The webhooks of the team, or one of them. */
export function WebhooksSection({ store, item, addressOf }: SectionProps): JSX.Element {
  const [created, setCreated] = useState<CreatedWebhook>()
  const onCreated = (webhook: CreatedWebhook) => {
    setCreated(webhook)
    navigate(addressOf(webhook._id))
  }
  return (
    <>
      {item === undefined ? (
        <WebhookList store={store} addressOf={addressOf} onCreated={onCreated} />
      ) : (
        <WebhookDetails
          key={item}
          store={store}
          id={item}
          addressOfAll={addressOf()}
          onSecret={setCreated}
          onDeleted={() => navigate(addressOf(), { replace: true })}
        />
      )}
      {created && (
        <SecretDialog
          title={more.webhooks.secret(created.name)}
          secret={created.secret}
          texts={more.webhooks}
          onClose={() => setCreated(undefined)}
        />
      )}
    </>
  )
}

interface WebhookListProps extends Pick<SectionProps, 'store' | 'addressOf'> {
  readonly onCreated: (webhook: CreatedWebhook) => void
}

function WebhookList({ store, addressOf, onCreated }: WebhookListProps): JSX.Element {
  const { webhooks, problem, read } = useWebhooks(store)
  const [isNew, setNew] = useState(false)
  const texts = more.webhooks
  return (
    <>
      <p style={styles.actions}>
        <Button kind="primary" onClick={() => setNew(true)}>
          {texts.new}
        </Button>
      </p>
      {problem && <ProblemBox title={more.settings.failed} reason={problem} onRetry={read} />}
      {webhooks === undefined && !problem && <SkeletonRows count={4} rowHeight={40} />}
      {webhooks?.length === 0 && <Empty title={texts.none} hint={texts.noneHint} />}
      {webhooks !== undefined && webhooks.length > 0 && (
        <SettingsTable label={more.settings.names.webhooks} columns={texts.columns}>
          {webhooks.map(({ _id, name, url, events, health }) => (
            <tr key={_id}>
              <Cell>
                <a href={addressOf(_id)}>{name}</a>
              </Cell>
              <Cell>{url}</Cell>
              <Cell>{events.length}</Cell>
              <Cell>{wordOf(texts.states, health.state)}</Cell>
            </tr>
          ))}
        </SettingsTable>
      )}
      {isNew && (
        <Dialog title={texts.new} onClose={() => setNew(false)}>
          <WebhookForm
            submit={texts.create}
            onSubmit={async (values) => {
              const webhook = await createWebhook(store.crm, values)
              showToast(texts.created(webhook.name))
              onCreated(webhook)
            }}
          />
        </Dialog>
      )}
    </>
  )
}

function useWebhooks({ crm }: Store) {
  const [webhooks, setWebhooks] = useState<readonly Webhook[]>()
  const [problem, setProblem] = useState<Problem>()
  const read = () => {
    setProblem(undefined)
    readWebhooks(crm).then(setWebhooks, (error) => setProblem(problemOf(error)))
  }
  useEffect(read, [])
  return { webhooks, problem, read }
}
