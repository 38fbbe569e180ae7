import type { ApiKey } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { readApiKeyUsage, revokeApiKey } from '../../api/api-keys.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { locale } from '../../strings/strings.ts'
import { DeleteButton, ProblemText, useSending } from '../../ui/sending.tsx'
import { ReasonText } from '../../ui/states.tsx'

interface KeyDetailsProps {
  readonly store: Store
  readonly apiKey: ApiKey
  readonly onRevoked: (key: ApiKey) => void
}

/** How much a key is used, and its end: the inside of a dialog. */
export function KeyDetails({ store, apiKey, onRevoked }: KeyDetailsProps): JSX.Element {
  const [requests, setRequests] = useState<number>()
  const [failure, setFailure] = useState<Problem>()
  const { isSending, problem, send } = useSending()
  const texts = more.settings.keys
  const { _id, name } = apiKey
  useEffect(() => {
    readApiKeyUsage(store.crm, _id).then(
      ({ totalRequests }) => setRequests(totalRequests),
      (error) => setFailure(problemOf(error)),
    )
  }, [])
  return (
    <>
      <div role="status">
        {failure ? (
          <ReasonText reason={failure} />
        ) : requests === undefined ? (
          more.settings.loading
        ) : (
          texts.usageText(requests.toLocaleString(locale))
        )}
      </div>
      {apiKey.isActive && !apiKey.revokedAt && (
        <>
          <p>{texts.revokeHint}</p>
          <ProblemText problem={problem} />
          <DeleteButton
            label={texts.revoke}
            sure={texts.revokeNow}
            isDisabled={isSending}
            onDelete={() =>
              send(async () => onRevoked(await revokeApiKey(store.crm, _id)), texts.revokedNow(name))
            }
          />
        </>
      )}
    </>
  )
}
