import { imageSendersMax, type UpdateMeBody } from '@crmkit/core'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'

type Sealed = Pick<UserRecord, '_id' | 'tenantId' | 'imageSenders'>

const contextOf = ({ _id: id, tenantId }: Sealed) => ({ tenantId, id })

/** Returns the digests of the senders whose images a user always sees, the oldest first. */
export function imageSendersOf(secrets: SecretBox, user: Sealed): string[] {
  return user.imageSenders === undefined ? [] : JSON.parse(secrets.open(user.imageSenders, contextOf(user)))
}

/** Returns the changed field of the row; nothing where nothing changes. */
export function changedImageSenders(
  secrets: SecretBox,
  user: Sealed,
  change: UpdateMeBody['imageSender'],
): Pick<UserRecord, 'imageSenders'> {
  const before = imageSendersOf(secrets, user)
  if (change === undefined || before.includes(change.digest) === change.isShown) return {}
  const others = before.filter((digest) => digest !== change.digest)
  const after = change.isShown ? [...others, change.digest].slice(-imageSendersMax) : others
  return { imageSenders: secrets.seal(JSON.stringify(after), contextOf(user)) }
}
