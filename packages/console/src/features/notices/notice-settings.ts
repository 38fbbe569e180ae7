import { effect, type Signal, signal } from '@preact/signals'

/** How a person learns of a message while the tab is hidden, and whether also of those that concern a colleague. */
export const noticeKinds = ['badge', 'desktop', 'sound', 'colleagues'] as const
export type NoticeKind = (typeof noticeKinds)[number]
export type NoticeSettings = Readonly<Record<NoticeKind, boolean>>

const key = 'crm-console-notices'
// The browser asks before it shows notices of the desktop, and a sound disturbs others: people switch both on.
const usual: NoticeSettings = { badge: true, desktop: false, sound: false, colleagues: false }

function stored(): NoticeSettings {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    const chosen = Object.entries(found ?? {}).filter(([kind, value]) => kind in usual && value === !!value)
    return { ...usual, ...Object.fromEntries(chosen) }
  } catch {
    return usual
  }
}

export const noticeSettings: Signal<NoticeSettings> = signal(stored())

effect(() => localStorage.setItem(key, JSON.stringify(noticeSettings.value)))

/** Returns false when the browser refuses notices of the desktop. */
export async function switchNotice(kind: NoticeKind, isOn: boolean): Promise<boolean> {
  if (kind === 'desktop' && isOn && (await Notification.requestPermission()) !== 'granted') return false
  noticeSettings.value = { ...noticeSettings.peek(), [kind]: isOn }
  return true
}
