import { make } from './dom.ts'
import type { Attachment } from './wire.ts'

/** Pictures that run nothing; SVG does, so it stays a file. */
const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const pictureBytesMax = 10 * 1024 * 1024

/** Whether the file is shown as a picture. The service has found out its type: its sender has no say in it. */
export function isPicture({ contentType, size }: Pick<Attachment, 'contentType' | 'size'>): boolean {
  return pictureTypes.includes(contentType) && size <= pictureBytesMax
}

interface Options {
  /** Returns the bytes of a file. */
  read(file: Attachment): Promise<Blob>
  /** The visitor wants to see a picture large. */
  onShow(picture: HTMLImageElement): void
  nameOf(file: Attachment): string
}

/** The pictures of the thread. Each is read when it comes into the part that the visitor sees. */
export class Pictures {
  readonly #options: Options
  /** One element for each file: a message that is drawn again reads nothing again. */
  readonly #made = new Map<string, HTMLButtonElement>()
  readonly #files = new WeakMap<Element, Attachment>()
  readonly #addresses = new Set<string>()
  #observer: IntersectionObserver | undefined

  constructor(options: Options) {
    this.#options = options
  }

  of(file: Attachment): HTMLElement {
    const present = this.#made.get(file._id)
    if (present) return present
    const picture = make('img', { alt: file.filename })
    const button = make(
      'button',
      {
        type: 'button',
        className: 'picture',
        ariaLabel: this.#options.nameOf(file),
        onclick: () => picture.src && this.#options.onShow(picture),
      },
      picture,
    )
    this.#made.set(file._id, button)
    this.#files.set(button, file)
    this.#observer?.observe(button)
    return button
  }

  /** The chat is opened: before that nobody looks, so a mere view of the page reads no picture. */
  show(): void {
    if (this.#observer) return
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) void this.#load(target)
      }
    })
    for (const button of this.#made.values()) this.#observer.observe(button)
  }

  clear(): void {
    for (const button of this.#made.values()) this.#observer?.unobserve(button)
    for (const address of this.#addresses) URL.revokeObjectURL(address)
    this.#addresses.clear()
    this.#made.clear()
  }

  /** Where the picture cannot be read or shown, the file under it is left. */
  async #load(button: Element): Promise<void> {
    const file = this.#files.get(button)
    const picture = button.querySelector('img')
    this.#observer?.unobserve(button)
    if (!file || !picture) return
    try {
      // Of the type that was found out, so the browser takes the bytes for no other one.
      const bytes = new Blob([await this.#options.read(file)], { type: file.contentType })
      if (this.#made.get(file._id) !== button) return
      picture.src = URL.createObjectURL(bytes)
      this.#addresses.add(picture.src)
      await picture.decode()
    } catch {
      URL.revokeObjectURL(picture.src)
      button.remove()
      this.#made.delete(file._id)
    }
  }
}
