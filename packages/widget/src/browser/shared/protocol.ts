import type { GivenTexts } from './strings.ts'

/** The settings of the inbox that `GET /api/v1/widget/config` shows. */
export interface WidgetConfig {
  color: string | null
  greeting: string | null
  online: boolean
  identityRequired: boolean
  team: { name: string; faces: { name: string }[] } | null
  replyTime: 'minutes' | 'hours' | 'day' | null
  /** Texts of the tenant's own. */
  texts: GivenTexts
  askEmail: boolean
}

/** Messages from the loader in the page to the frame. */
export type ToFrame =
  | {
      type: 'init'
      config: WidgetConfig
      language: string
      direction: string
      texts: GivenTexts
      hasSound: boolean
    }
  | { type: 'open'; page: string }
  | { type: 'close' }
  | { type: 'sound'; hasSound: boolean }
  | { type: 'identify'; userToken: string; page: string }
  | { type: 'shutdown' }

/** Messages from the frame to the loader. */
export type ToPage =
  | { type: 'ready' }
  /** `count`: of a closed chat; `all`: also of an open one that nobody looks at. */
  | { type: 'unread'; count: number; all: number }
  | { type: 'close' }
  | { type: 'identified' }
  | { type: 'expired' }
  /** The inbox takes no visitors any more; `reason` is the sentence of the server. */
  | { type: 'off'; reason: string }

/** A page without an origin (`file:`, a web view) cannot be named as a target. */
export function targetOf(origin: string): string {
  return origin === 'null' ? '*' : origin
}
