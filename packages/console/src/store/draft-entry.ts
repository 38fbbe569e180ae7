import type { Draft as StoredDraft } from '@crmkit/sdk'
import { type Signal, signal } from '@preact/signals'
import { type Draft, emptyDraft } from './draft.ts'

export interface DraftState {
  /** The draft that the composer shows. */
  readonly draft: Draft
  /** A version that the same person has saved in another window; this window saves nothing until they choose one. */
  readonly newer: StoredDraft | undefined
  /** The reply that the service sends at its `sendAt`. A text that is typed meanwhile is saved after that. */
  readonly held: StoredDraft | undefined
  /** Why the service has not sent the draft at its time; null: it was not planned, or was changed since. */
  readonly stopped: string | null
  /** Drafts of colleagues and programs. */
  readonly others: readonly StoredDraft[]
}

const nothing: DraftState = {
  draft: emptyDraft,
  newer: undefined,
  held: undefined,
  stopped: null,
  others: [],
}

/** The drafts of a conversation, as far as this tab knows. */
export interface Entry {
  readonly conversationId: string
  readonly state: Signal<DraftState>
  /** Of the service's draft, as far as this tab knows; 0 and undefined: none. */
  version: number
  draftId: string | undefined
  /** Whether the service knows of whose draft this one is an edited form. */
  isBasedOnOther: boolean
  isLoaded: boolean
  /** Number of the newest request for the drafts: the reply to an earlier one is left out. */
  reading: number
  /** Whether a reply is being given to the service, to be sent later. */
  isHolding: boolean
  /** Whether the service has not got what the composer shows. */
  isDirty: boolean
  saving: Promise<void> | undefined
  timer: ReturnType<typeof setTimeout> | undefined
}

/** Begins with the text that an earlier tab has left unsaved, if there is one. */
export function newEntry(
  conversationId: string,
  unsaved: { readonly draft: Draft; readonly version: number } | undefined,
): Entry {
  return {
    conversationId,
    state: signal({ ...nothing, draft: unsaved?.draft ?? emptyDraft }),
    version: unsaved?.version ?? 0,
    draftId: undefined,
    isBasedOnOther: false,
    isLoaded: false,
    reading: 0,
    isHolding: false,
    isDirty: unsaved !== undefined,
    saving: undefined,
    timer: undefined,
  }
}
