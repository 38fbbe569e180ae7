/** From the page of a mail to the console. */
export type FrameMessage =
  | { readonly type: 'mail-ready' }
  /** In CSS pixels. */
  | { readonly type: 'mail-height'; readonly height: number }
  /** As it stands in the mail: judge it before it is opened. */
  | { readonly type: 'mail-link'; readonly href: string }

/** From the console to the page of a mail. */
export interface ShowMail {
  readonly type: 'show-mail'
  /** As the service sent it, sanitised. */
  readonly html: string
  /** Slices of it that are folded: whole elements and texts, in their order. */
  readonly quoted: readonly { readonly from: number; readonly to: number }[]
  /** The words on a fold. */
  readonly label: string
  /** Whether the images of other servers are loaded. */
  readonly hasImages: boolean
}

/** From the console to the page of a mail: a picture that is a file of this mail. */
export interface ShowFile {
  readonly type: 'show-file'
  /** As it stands in the HTML. */
  readonly src: string
  readonly bytes: Blob
}

export function showFile(file: Omit<ShowFile, 'type'>): ShowFile {
  return { type: 'show-file', ...file }
}

export function isShowFile(data: unknown): data is ShowFile {
  return isRecord(data) && data['type'] === 'show-file' && data['bytes'] instanceof Blob
}

export function showMail(mail: Omit<ShowMail, 'type'>): ShowMail {
  return { type: 'show-mail', ...mail }
}

export function isShowMail(data: unknown): data is ShowMail {
  return isRecord(data) && data['type'] === 'show-mail' && typeof data['html'] === 'string'
}

/** Undefined for everything that no mail page of this build sends. */
export function frameMessageOf(data: unknown): FrameMessage | undefined {
  if (!isRecord(data)) return undefined
  const { type, height, href } = data
  if (type === 'mail-ready') return { type }
  if (type === 'mail-height' && typeof height === 'number' && Number.isFinite(height)) return { type, height }
  return type === 'mail-link' && typeof href === 'string' ? { type, href } : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
