import { make } from './dom.ts'
import { pictureHeadBytes, pictureTypeOf } from './picture-type.ts'

/** Small pictures of the files that are not sent yet. */
export class Previews {
  readonly #made = new Map<File, HTMLImageElement>()

  /** Returns the picture of a file, which stays empty when its bytes are no picture. */
  of(file: File): HTMLImageElement {
    const present = this.#made.get(file)
    if (present) return present
    const picture = make('img', { alt: '', hidden: true })
    this.#made.set(file, picture)
    void this.#load(file, picture)
    return picture
  }

  /** Forgets the pictures of all other files. */
  keep(files: readonly File[]): void {
    for (const [file, picture] of this.#made) {
      if (files.includes(file)) continue
      URL.revokeObjectURL(picture.src)
      this.#made.delete(file)
    }
  }

  async #load(file: File, picture: HTMLImageElement): Promise<void> {
    // A file that has been deleted since cannot be read.
    const head = await file
      .slice(0, pictureHeadBytes)
      .arrayBuffer()
      .catch(() => new ArrayBuffer(0))
    const type = pictureTypeOf(new Uint8Array(head))
    if (type === undefined || !this.#made.has(file)) return
    picture.onload = () => {
      picture.hidden = false
    }
    picture.src = URL.createObjectURL(new Blob([file], { type }))
  }
}
