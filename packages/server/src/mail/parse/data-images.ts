import type { MailBody } from './mail-body.ts'

const imagesMax = 20
const bytesMax = 10 * 1024 * 1024
/** Pictures that every browser shows, and that hold no script. */
const shown: Readonly<Record<string, string>> = {
  gif: 'gif',
  jpeg: 'jpg',
  jpg: 'jpg',
  png: 'png',
  webp: 'webp',
}
const dataImage = /(\bsrc\s{0,9}=\s{0,9}["']?)data:image\/([\w.+-]{1,40});base64,([a-z\d+/=\s]*)/gi

/** Returns the URL by which HTML names the file that was taken out of it. No mail can write it as an address of its own. */
function dataImageSource(index: number): string {
  return `data:file-${index}`
}

/**
 * Takes pictures out of HTML that holds them itself, such as a pasted screenshot. They become files, whose places are
 * counted from `firstIndex`; one that may not be shown is left out.
 */
export function takeDataImages(
  source: string,
  firstIndex: number,
): { html: string; images: MailBody['files'] } {
  const images: MailBody['files'] = []
  let bytesLeft = bytesMax
  const html = source.replace(dataImage, (_, start: string, type: string, encoded: string) => {
    const ending = shown[type.toLowerCase()]
    const bytes = Buffer.from(encoded, 'base64')
    bytesLeft -= bytes.length
    if (ending === undefined || images.length >= imagesMax || bytesLeft < 0) return `${start}data:,`
    const place = dataImageSource(firstIndex + images.length)
    images.push({
      filename: `image.${ending}`,
      contentType: `image/${ending === 'jpg' ? 'jpeg' : ending}`,
      size: bytes.length,
      contentId: null,
      bytes,
      source: place,
    })
    return `${start}${place}`
  })
  return { html, images }
}
