import type { CreatedWebhook, TestedDelivery, UpdateWebhook, Webhook } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Problem, problemOf } from '../../api/problem.ts'
import {
  deleteWebhook,
  readWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '../../api/webhooks.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { momentTime } from '../../strings/times.ts'
import { wordOf } from '../../strings/word-of.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DeleteButton, ProblemText, useSending } from '../../ui/sending.tsx'
import { Empty, ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { DeliveryFacts } from './delivery-facts.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { styles } from './settings-styles.ts'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookRecovery } from './webhook-recovery.tsx'

interface WebhookDetailsProps {
  readonly store: Store
  readonly id: string
  readonly addressOfAll: string
  readonly onSecret: (webhook: CreatedWebhook) => void
  readonly onDeleted: () => void
}

/** One webhook: its state, the changes of it, and its deliveries. */
export function WebhookDetails(props: WebhookDetailsProps): JSX.Element {
  const { store, id, addressOfAll } = props
  const [webhook, setWebhook] = useState<Webhook>()
  const [problem, setProblem] = useState<Problem>()
  /** Another number reads the deliveries again. */
  const [round, setRound] = useState(0)
  const read = () => {
    setProblem(undefined)
    readWebhook(store.crm, id).then(setWebhook, (error) => setProblem(problemOf(error)))
  }
  useEffect(read, [round])
  return (
    <>
      <p>
        <a href={addressOfAll}>{more.webhooks.back}</a>
      </p>
      {problem?.code === 'NOT_FOUND' ? (
        <Empty title={more.webhooks.notFound} />
      ) : (
        problem && <ProblemBox title={more.settings.failed} reason={problem} onRetry={read} />
      )}
      {webhook === undefined && !problem && <SkeletonRows count={4} rowHeight={40} />}
      {webhook && (
        <>
          <h3 dir="auto">{webhook.name}</h3>
          <State webhook={webhook} />
          <Changes
            {...props}
            webhook={webhook}
            onChanged={setWebhook}
            onTested={() => setRound((now) => now + 1)}
          />
          <DeliveryList store={store} webhookId={id} round={round} />
          <WebhookRecovery store={store} webhookId={id} onRecovered={() => setRound((now) => now + 1)} />
        </>
      )}
    </>
  )
}

function State({ webhook }: { readonly webhook: Webhook }): JSX.Element {
  const { url, events, health, previousSecretExpiresAt } = webhook
  const texts = more.webhooks
  return (
    <>
      <p style={{ overflowWrap: 'anywhere' }}>{url}</p>
      <p style={{ overflowWrap: 'anywhere' }}>{events.join(', ')}</p>
      <p role="status">
        {health.disabledReason
          ? wordOf(texts.reasons, health.disabledReason)
          : wordOf(texts.states, health.state)}
      </p>
      {health.lastSuccessAt && <p>{texts.lastSuccess(momentTime(health.lastSuccessAt))}</p>}
      {previousSecretExpiresAt && <p>{texts.rotating(momentTime(previousSecretExpiresAt))}</p>}
    </>
  )
}

interface ChangesProps extends WebhookDetailsProps {
  readonly webhook: Webhook
  readonly onChanged: (webhook: Webhook) => void
  readonly onTested: () => void
}

function Changes({ store, webhook, onChanged, onSecret, onDeleted, onTested }: ChangesProps): JSX.Element {
  const [isEdited, setEdited] = useState(false)
  const [tested, setTested] = useState<TestedDelivery>()
  const { isSending, problem, send } = useSending()
  const texts = more.webhooks
  const { _id, name, isActive } = webhook
  const update = async (body: UpdateWebhook) => onChanged(await updateWebhook(store.crm, _id, body))
  const rotate = async () => {
    const { secret, ...changed } = await rotateWebhookSecret(store.crm, _id)
    onChanged(changed)
    onSecret({ ...changed, secret })
  }
  const test = async () => {
    setTested(await testWebhook(store.crm, _id))
    onTested()
  }
  const remove = async () => {
    await deleteWebhook(store.crm, _id)
    onDeleted()
  }
  return (
    <>
      <p style={styles.actions}>
        <Button isDisabled={isSending} onClick={() => send(test)}>
          {texts.test}
        </Button>
        <Button onClick={() => setEdited(true)}>{texts.edit}</Button>
        <Button
          isDisabled={isSending}
          onClick={() =>
            send(() => update({ isActive: !isActive }), isActive ? texts.paused(name) : texts.resumed(name))
          }
        >
          {isActive ? texts.pause : texts.resume}
        </Button>
        <DeleteButton
          label={texts.rotate}
          sure={texts.rotateNow}
          isDisabled={isSending}
          onDelete={() => send(rotate)}
        />
        <DeleteButton
          label={texts.delete}
          sure={texts.deleteNow}
          isDisabled={isSending}
          onDelete={() => send(remove, texts.deleted(name))}
        />
      </p>
      <p class="hint">{texts.rotateHint}</p>
      <ProblemText problem={problem} />
      {isEdited && (
        <Dialog title={texts.editTitle(name)} onClose={() => setEdited(false)}>
          <WebhookForm
            webhook={webhook}
            submit={more.settings.save}
            onSubmit={async (values) => {
              await update(values)
              showToast(texts.saved(values.name))
              setEdited(false)
            }}
          />
        </Dialog>
      )}
      {tested && (
        <Dialog title={texts.testTitle} onClose={() => setTested(undefined)}>
          <DeliveryFacts delivery={tested} request={tested.request} />
        </Dialog>
      )}
    </>
  )
}
