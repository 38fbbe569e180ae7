import { make } from './dom.ts'
import type { Attachment } from './wire.ts'

/** Pictures that run nothing; SVG does, so it stays a file. */
const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const pictureBytesMax = 10 * 1024 * 1024

/** Whether the file is shown as a picture. The service has found out its type: its sender has no say in it. */
export function isPicture({ contentType, size }: Pick<Attachment, 'contentType' | 'size'>): boolean {
  return pictureTypes.includes(contentType) && size <= pictureBytesMax
}

/** The pictures of the thread. Each is read when it comes into the part that the visitor sees. */
export class Pictures {
  readonly #read: (file: Attachment) => Promise<Blob>
  /** One element for each file: a message that is drawn again reads nothing again. */
  readonly #made = new Map<string, HTMLImageElement>()
  readonly #files = new WeakMap<Element, Attachment>()
  #observer: IntersectionObserver | undefined

  constructor(read: (file: Attachment) => Promise<Blob>) {
    this.#read = read
  }

  of(file: Attachment): HTMLImageElement {
    const present = this.#made.get(file._id)
    if (present) return present
    const picture = make('img', { alt: file.filename })
    this.#made.set(file._id, picture)
    this.#files.set(picture, file)
    this.#observer?.observe(picture)
    return picture
  }

  /** The chat is opened: before that nobody looks, so a mere view of the page reads no picture. */
  show(): void {
    if (this.#observer) return
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) void this.#load(target as HTMLImageElement)
      }
    })
    for (const picture of this.#made.values()) this.#observer.observe(picture)
  }

  clear(): void {
    this.#observer?.disconnect()
    this.#made.clear()
  }

  /** Where the picture cannot be read or shown, the file under it is left. */
  async #load(picture: HTMLImageElement): Promise<void> {
    const file = this.#files.get(picture)
    this.#observer?.unobserve(picture)
    if (!file) return
    try {
      // Of the type that was found out, so the browser takes the bytes for no other one.
      const address = URL.createObjectURL(new Blob([await this.#read(file)], { type: file.contentType }))
      picture.src = address
      await picture.decode().finally(() => URL.revokeObjectURL(address))
    } catch {
      picture.remove()
      this.#made.delete(file._id)
    }
  }
}
