/**
 * The script of the page that shows the HTML of one mail. The page is sandboxed: it has an origin of its own, and its
 * policy lets only this script run, so the mail can neither act nor load. It sends its height and clicked links to the
 * console, which decides what to do with them.
 */
import { type FrameMessage, isShowFile, isShowMail, type ShowFile, type ShowMail } from './frame-messages.ts'

const mail = document.getElementById('mail')

function send(message: FrameMessage): void {
  // The console may run at any origin, and the message holds nothing but a height or an address of the mail itself.
  window.parent.postMessage(message, '*')
}

window.addEventListener('message', ({ source, data }) => {
  if (source !== window.parent || mail === null) return
  if (isShowFile(data)) showFile(mail, data)
  if (!isShowMail(data)) return
  mail.replaceChildren(withoutFiles(folded(data)))
  for (const summary of mail.querySelectorAll('details.quoted > summary')) summary.textContent = data.label
  if (data.hasImages) loadImages(mail)
  send({ type: 'mail-height', height: document.documentElement.offsetHeight })
})

/** Returns the elements of a mail whose pictures load nothing: this page has no credential for the files of the service. */
function withoutFiles(html: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = html
  for (const image of template.content.querySelectorAll<HTMLImageElement>('img[src]')) {
    image.dataset['file'] = image.getAttribute('src') ?? ''
    image.removeAttribute('src')
  }
  return template.content
}

function showFile(of: HTMLElement, { src, bytes }: ShowFile): void {
  for (const image of of.querySelectorAll<HTMLImageElement>('img[data-file]')) {
    if (image.dataset['file'] !== src) continue
    image.src = URL.createObjectURL(bytes)
  }
}

/** The service leaves the address of an image of another server in an attribute that no browser loads. */
function loadImages(of: HTMLElement): void {
  for (const image of of.querySelectorAll<HTMLImageElement>('img[data-remote]')) {
    image.referrerPolicy = 'no-referrer'
    image.src = image.dataset['remote'] ?? ''
  }
}

/** A slice holds whole elements, so it can stand in one of its own. */
function folded({ html, quoted }: ShowMail): string {
  const ends = quoted.map(({ to }) => to)
  const parts = quoted.map(({ from, to }, at) => {
    const own = html.slice(ends[at - 1], from)
    return `${own}<details class="quoted"><summary></summary>${html.slice(from, to)}</details>`
  })
  return parts.join('') + html.slice(ends.at(-1))
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null) return
  event.preventDefault()
  const href = link.getAttribute('href')
  if (href !== null) send({ type: 'mail-link', href })
})

new ResizeObserver(() =>
  send({ type: 'mail-height', height: document.documentElement.offsetHeight }),
).observe(document.documentElement)

send({ type: 'mail-ready' })
