import type { Mention } from '@crmkit/sdk'
import { effect } from '@preact/signals'
import type { MessageOfEvent } from '../../store/apply-event.ts'
import { readable } from '../../store/mentions.ts'
import { nameOfUser } from '../../store/names.ts'
import type { Store } from '../../store/store.ts'
import { unsentCount } from '../../store/unsent-count.ts'
import { t } from '../../strings/strings.ts'
import { wordsOf } from '../../strings/words-of.ts'
import { addressOf, navigate } from '../../ui/navigation.ts'
import { pageName } from '../../ui/page-name.ts'
import { type NoticeSettings, noticeSettings } from './notice-settings.ts'

const textLengthMax = 140
/** Milliseconds for which one tab of the browser keeps the others from giving the same notice. */
const claimMs = 5_000
const badgeIcon =
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="%232457d6"/><circle cx="11" cy="5" r="5" fill="%23e5484d"/></svg>'

/** A notice of the desktop, and the conversation that a click opens. */
interface NoticeText {
  readonly title: string
  readonly body: string
  readonly conversationId: string
}

/**
 * Reports messages of customers, and notes that mention this person, which come while the tab is hidden. Everything hangs on the
 * event: a hidden tab is drawn late.
 */
export function giveNotices(store: Store): () => void {
  const badge = createBadge()
  const stopNaming = effect(() => badge.setPage(pageName.value, unsentCount(store)))
  const give = (id: string, read: () => NoticeText | Promise<NoticeText>) => {
    const { badge: hasBadge, desktop, sound } = noticeSettings.peek()
    if (hasBadge) badge.add()
    if (desktop || sound) void oncePerBrowser(id, () => void announce(id, { read, desktop, sound }))
  }
  const stop = effect(() => {
    const message = store.arrived.value
    if (message === undefined || document.visibilityState === 'visible') return
    const { assignedTo } = message.conversation
    // A conversation concerns the person who has taken it, and everybody while nobody has.
    if (!noticeSettings.peek().colleagues && assignedTo !== null && assignedTo !== store.me._id) return
    give(message._id, () => ofMessage(message))
  })
  const stopMentions = effect(() => {
    const mention = store.mentioned.value
    if (mention === undefined || document.visibilityState === 'visible') return
    give(mention._id, () => ofMention(store, mention))
  })
  const onVisibility = () => {
    if (document.visibilityState === 'visible') badge.clear()
  }
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    stop()
    stopMentions()
    stopNaming()
    document.removeEventListener('visibilitychange', onVisibility)
    badge.clear()
    badge.setPage('', 0)
  }
}

/** The numbers and the open conversation in the title, and a dot on the icon of the tab. */
function createBadge() {
  const title = document.title
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const plainIcon = icon?.href ?? ''
  let count = 0
  let plain = title
  const show = () => {
    document.title = count > 0 ? t.status.titleUnread(count, plain) : plain
    if (icon) icon.href = count > 0 ? badgeIcon : plainIcon
  }
  return {
    add() {
      count += 1
      show()
    },
    clear() {
      count = 0
      show()
    },
    setPage(name: string, unsent: number) {
      const count = unsent > 0 && `${unsent} ${t.nav.unsent.toLowerCase()}`
      plain = [count, name, title].filter(Boolean).join(' · ')
      show()
    },
  }
}

/** Every tab receives the event, and one of them announces it. */
async function oncePerBrowser(id: string, run: () => void): Promise<void> {
  await navigator.locks.request(`crm-console-notice:${id}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) return
    run()
    await new Promise((resolve) => setTimeout(resolve, claimMs))
  })
}

function ofMessage({
  conversationId,
  contentType,
  content,
  attachments,
  sender,
}: MessageOfEvent): NoticeText {
  // Markup of a mail is no text for people.
  const body = contentType === 'html' ? t.status.newMail : wordsOf(content, attachments.length)
  return { title: sender.name ?? t.common.unknownPerson, body, conversationId }
}

/** The event does not hold the words of the note. */
async function ofMention({ crm, users }: Store, mention: Mention): Promise<NoticeText> {
  const { by, messageId, conversationId } = mention
  const author = users.peek().find(({ _id }) => _id === by)
  const title = t.status.mentioned(author ? nameOfUser(author) : t.common.unknownPerson)
  const note = await crm.messages.get(messageId).catch(() => undefined)
  return {
    title,
    body: note ? wordsOf(readable(note, users.peek()), note.attachments.length) : '',
    conversationId,
  }
}

interface Announcement extends Pick<NoticeSettings, 'desktop' | 'sound'> {
  readonly read: () => NoticeText | Promise<NoticeText>
}

async function announce(id: string, { read, desktop, sound }: Announcement): Promise<void> {
  if (sound) playSound()
  if (!desktop || Notification.permission !== 'granted') return
  const { title, body, conversationId } = await read()
  const notice = new Notification(title, { body: body.slice(0, textLengthMax), tag: id })
  notice.addEventListener('click', () => {
    window.focus()
    navigate(addressOf('c', conversationId))
    notice.close()
  })
}

/** Two short tones. A browser that allows no sound before the first click stays silent. */
function playSound(): void {
  const audio = new AudioContext()
  const volume = audio.createGain()
  volume.gain.value = 0.1
  volume.connect(audio.destination)
  for (const [index, frequency] of [660, 880].entries()) {
    const tone = audio.createOscillator()
    tone.frequency.value = frequency
    tone.connect(volume)
    tone.start(audio.currentTime + index * 0.12)
    tone.stop(audio.currentTime + index * 0.12 + 0.1)
    if (index === 1) tone.addEventListener('ended', () => void audio.close())
  }
}
