import { type Signal, signal } from '@preact/signals'

/** The subject of the open conversation, or nothing, for the title of the tab. */
export const pageName: Signal<string> = signal('')
