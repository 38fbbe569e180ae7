import type { Message } from '@crmkit/sdk'
import { Fragment, type JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Store } from '../../store/store.ts'
import type { PendingMessage } from '../../store/threads.ts'
import { t } from '../../strings/strings.ts'
import { dayName, isSameDay } from '../../strings/times.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ProblemBox, SkeletonRows } from '../../ui/states.tsx'
import { type ActivityGroup, behindLast, groupsAbove, keyOf } from './activity-groups.ts'
import { ActivityLine } from './activity-line.tsx'
import { MessageView } from './message-view.tsx'
import { PendingView } from './pending-view.tsx'
import { type Slice, slicesOf } from './slices.ts'

interface MessageListProps {
  readonly store: Store
  readonly conversationId: string
  /** Id of the message above which the line for unread ones stands; null: none. */
  readonly unreadFrom: string | null
  readonly onEdit: (message: PendingMessage) => void
}

/** CSS pixels from the end within which a new message is followed. */
const nearEnd = 80

export function MessageList({ store, conversationId, unreadFrom, onEdit }: MessageListProps): JSX.Element {
  const thread = store.threads.open(conversationId).value
  const { messages, pending, state, problem, olderCursor } = thread
  const { rows: activities } = store.activities.open(conversationId).value
  const above = useMemo(
    () => groupsAbove(activities, messages, olderCursor === null),
    [activities, messages, olderCursor],
  )
  const known = useRef<readonly Slice[]>([])
  const slices = useMemo(() => slicesOf(messages, known.current), [messages])
  known.current = slices
  const newestId = pending.at(-1)?.clientMessageId ?? messages.at(-1)?._id
  const { ref, unseen, onScroll, toEnd, holdPosition } = useScroll(newestId, messages.length)
  if (state === 'failed' && messages.length === 0) {
    return (
      <ProblemBox
        title={t.thread.failed}
        reason={problem}
        onRetry={() => void store.looks.read(conversationId)}
      />
    )
  }
  const older = async () => {
    const release = holdPosition()
    await store.looks.older(conversationId)
    release()
  }
  return (
    <div ref={ref} class="thread-scroll" onScroll={onScroll}>
      {state === 'loading' ? (
        <SkeletonRows count={5} rowHeight={92} />
      ) : (
        <div class="thread-messages" role="log" aria-label={t.thread.messages}>
          {olderCursor && (
            <div class="thread-older">
              <Button isSmall onClick={() => void older()}>
                {t.thread.older}
              </Button>
            </div>
          )}
          {messages.length + pending.length === 0 && <p>{t.thread.empty}</p>}
          {slices.map((slice, index) => (
            <Unchanged
              key={slice.id}
              store={store}
              slice={slice}
              before={slices[index - 1]?.messages.at(-1)}
              unreadFrom={unreadFrom}
              above={above}
            />
          ))}
          <ActivityLines store={store} groups={above.get(behindLast)} />
          {pending.map((message) => (
            <PendingView
              key={message.clientMessageId}
              store={store}
              conversationId={conversationId}
              message={message}
              onEdit={onEdit}
            />
          ))}
        </div>
      )}
      {unseen !== undefined && (
        <div class="thread-newest">
          <Button onClick={toEnd}>
            <Icon name="down" />
            {unseen > 0 ? t.thread.newestCount(unseen) : t.thread.newest}
          </Button>
        </div>
      )}
    </div>
  )
}

interface SliceProps {
  readonly store: Store
  readonly slice: Slice
  /** The message above the slice. */
  readonly before: Message | undefined
  readonly unreadFrom: string | null
  readonly above: ReadonlyMap<string, readonly ActivityGroup[]>
}

/** Draws a slice again only when it has changed: a thread may show thousands of messages, and each event reaches the list. */
function Unchanged({ store, slice, before, unreadFrom, above }: SliceProps): JSX.Element {
  const changes = slice.messages.map(({ _id }) => keyOf(above.get(_id))).join(';')
  return useMemo(
    () => <SliceView store={store} slice={slice} before={before} unreadFrom={unreadFrom} above={above} />,
    [store, slice, before, unreadFrom, changes],
  )
}

function SliceView({ store, slice: { messages }, before, unreadFrom, above }: SliceProps): JSX.Element {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const box = ref.current
    // The browser lays out what is far away by its height alone, so the height must be right from the beginning.
    if (box) box.style.setProperty('--slice-height', `${box.offsetHeight}px`)
  }, [messages.length, before])
  return (
    <div ref={ref} class="thread-slice">
      {messages.map((message, index) => (
        <Fragment key={message._id}>
          <LinesAbove
            store={store}
            groups={above.get(message._id) ?? []}
            before={messages[index - 1] ?? before}
            message={message}
            unreadFrom={unreadFrom}
          />
          <MessageView store={store} message={message} />
        </Fragment>
      ))}
    </div>
  )
}

interface LineProps {
  readonly store: Store
  readonly groups: readonly ActivityGroup[]
  readonly before: Message | undefined
  readonly message: Message
  readonly unreadFrom: string | null
}

function LinesAbove({ store, groups, before, message, unreadFrom }: LineProps): JSX.Element {
  const isNewDay = before === undefined || !isSameDay(before.createdAt, message.createdAt)
  const isOfDay = ({ activities: [{ at }] }: ActivityGroup) => !isNewDay || isSameDay(at, message.createdAt)
  return (
    <>
      <ActivityLines store={store} groups={groups.filter((group) => !isOfDay(group))} />
      {isNewDay && <div class="day-line">{dayName(message.createdAt)}</div>}
      <ActivityLines store={store} groups={groups.filter(isOfDay)} />
      {message._id === unreadFrom && <div class="unread-line">{t.thread.unreadLine}</div>}
    </>
  )
}

interface ActivityLinesProps {
  readonly store: Store
  readonly groups: readonly ActivityGroup[] | undefined
}

function ActivityLines({ store, groups = [] }: ActivityLinesProps): JSX.Element {
  return (
    <>
      {groups.map((group) => (
        <ActivityLine key={group.activities[0]._id} store={store} group={group} />
      ))}
    </>
  )
}

/** CSS pixels above the newest message that stay visible: the lines of its day and of unread messages. */
const aboveNewest = 48

/** The place where the newest message is read: the end of the thread, or the beginning of a message that is higher than the view. */
function placeOfNewest(box: HTMLElement): number {
  const end = box.scrollHeight - box.clientHeight
  const newest = [...box.querySelectorAll('.message')].at(-1)
  if (newest === undefined) return end
  const top = newest.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop
  return Math.min(end, Math.max(0, top - aboveNewest))
}

/** Follows new messages while the reader is at the newest one or at the end, and counts them while they read further up. */
function useScroll(newestId: string | undefined, count: number) {
  const ref = useRef<HTMLDivElement>(null)
  /** The place that a change of height keeps in view; undefined: the one that the reader has scrolled to. */
  const kept = useRef<'newest' | 'end' | undefined>('newest')
  /** Where the last scroll of our own has ended: its event is none of the reader. */
  const placedAt = useRef(0)
  const keep = (box: HTMLElement) => {
    if (kept.current === undefined) return
    box.scrollTop = kept.current === 'newest' ? placeOfNewest(box) : box.scrollHeight
    placedAt.current = box.scrollTop
  }
  const [seenCount, setSeenCount] = useState<number | undefined>(undefined)
  const toEnd = () => {
    kept.current = 'newest'
    setSeenCount(undefined)
    if (ref.current) keep(ref.current)
  }
  useLayoutEffect(() => {
    if (kept.current !== undefined) toEnd()
  }, [newestId])
  useEffect(() => {
    const box = ref.current
    const content = box?.firstElementChild
    if (!box || !content) return
    // Images and mails grow after they are shown.
    const observer = new ResizeObserver(() => keep(box))
    observer.observe(content)
    observer.observe(box)
    return () => observer.disconnect()
  }, [count > 0])
  const onScroll = () => {
    const box = ref.current
    if (box === null || (kept.current !== undefined && Math.abs(box.scrollTop - placedAt.current) < 1)) return
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < nearEnd
    kept.current = isAtEnd ? 'end' : undefined
    if (isAtEnd || box.scrollTop >= placeOfNewest(box)) setSeenCount(undefined)
    else setSeenCount((seen) => seen ?? count)
  }
  const fromEnd = useRef<number | undefined>(undefined)
  // Before the next frame: a slice that is out of view for one frame has the height that it had when it was last shown.
  useLayoutEffect(() => {
    const box = ref.current
    if (box && fromEnd.current !== undefined) box.scrollTop = box.scrollHeight - fromEnd.current
    fromEnd.current = undefined
  }, [count])
  /** Keeps what is visible in its place while messages are added above it; returns the function that ends that. */
  const holdPosition = () => {
    const box = ref.current
    fromEnd.current = box ? box.scrollHeight - box.scrollTop : 0
    return () => {
      requestAnimationFrame(() => {
        fromEnd.current = undefined
      })
      setSeenCount(undefined)
    }
  }
  const unseen = seenCount === undefined ? undefined : count - seenCount
  return { ref, unseen, onScroll, toEnd, holdPosition }
}
