import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { nameOfUser } from '../store/names.ts'
import type { Store } from '../store/store.ts'
import { ownUser } from '../store/take-user.ts'
import { more } from '../strings/more.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { followActivity } from './follow-activity.ts'
import { isReachable, session } from './running-console.ts'

interface ProfileProps {
  readonly store: Store
  readonly onOpen: () => void
}

/** The signed-in person and whether they are there; opens what they say about that. Reports to the service when they work here. */
export function Profile({ store, onOpen }: ProfileProps): JSX.Element {
  useEffect(() => {
    const leaving = new AbortController()
    followActivity({ store, name: session.name, signal: leaving.signal })
    return () => leaving.abort()
  }, [store])
  const isThere = isReachable.value
  const wasAway = useRef(false)
  // Nobody repeats the live events of the time without a connection.
  useEffect(() => {
    if (isThere && wasAway.current) void store.loadPeople().catch(() => undefined)
    wasAway.current = !isThere
  }, [isThere])
  const me = ownUser(store)
  const name = nameOfUser(me)
  const availability = Reflect.get(more.availability.names, me.availability) ?? me.availability
  return (
    <Button kind="plain" isSmall hint={more.availability.own(name, availability)} onClick={onOpen}>
      <Avatar name={name} isSmall availability={me.availability} />{' '}
      <span dir="auto">{more.availability.listed(name, availability)}</span>
    </Button>
  )
}
