import { type Signal, signal } from '@preact/signals'

/** What the screen shows, for the title of the tab: the subject of the open conversation, or nothing. */
export const pageName: Signal<string> = signal('')
