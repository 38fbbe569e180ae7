import type { MessageEmail } from '@crmkit/sdk'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Store } from '../../store/store.ts'
import { more } from '../../strings/more.ts'
import { Button } from '../../ui/button.tsx'
import { digestOf, imageSendersOf, rememberSender } from './image-senders.ts'

export interface MailImagesProps {
  readonly email: MessageEmail | null
  readonly place: {
    readonly store: Store
    /** Undefined while the conversation of the mail is not known. */
    readonly inboxId: string | undefined
  }
  readonly isShown: boolean
  readonly onShow: (isShown: boolean) => void
}

/**
 * Asks whether the images of a mail are loaded: of this mail, or of each mail of its sender in this inbox. Anybody can write the address
 * of a sender, so a choice for the sender counts for mails whose sender is proven.
 */
export function MailImages({ email, place, isShown, onShow }: MailImagesProps): JSX.Element {
  const address = email?.from?.address
  const digest = useDigest(address, place)
  const isChosen = digest !== undefined && imageSendersOf(place.store).value.includes(digest)
  const isProven = email?.verified === true
  const isRemembered = isChosen && isProven
  useEffect(() => {
    if (!isRemembered) return
    onShow(true)
    return () => onShow(false)
  }, [isRemembered])
  if (isRemembered)
    return (
      <p>
        <small dir="auto">{more.images.always(address ?? '')}</small>{' '}
        <Button isSmall onClick={() => void rememberSender(place.store, digest, false)}>
          {more.images.never}
        </Button>
      </p>
    )
  return (
    <p>
      {!isShown && (
        <Button isSmall onClick={() => onShow(true)}>
          {more.images.show}
        </Button>
      )}{' '}
      {digest && isProven && (
        <Button isSmall onClick={() => void rememberSender(place.store, digest, true)}>
          {more.images.ofSender(address ?? '')}
        </Button>
      )}{' '}
      {!isShown && <small>{isChosen ? more.images.notProven : more.images.hint}</small>}
    </p>
  )
}

function useDigest(
  address: string | undefined,
  { store, inboxId }: MailImagesProps['place'],
): string | undefined {
  const [digest, setDigest] = useState<string | undefined>(undefined)
  useEffect(() => {
    setDigest(undefined)
    if (address === undefined || inboxId === undefined) return
    let isLate = false
    void digestOf(store, { inboxId, address }).then((made) => {
      if (!isLate) setDigest(made)
    })
    return () => {
      isLate = true
    }
  }, [address, store, inboxId])
  return digest
}
