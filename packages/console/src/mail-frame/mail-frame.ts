/**
 * The script of the page that shows the HTML of one mail. The page is sandboxed: it has an origin of its own, and its
 * policy lets only this script run, so the mail can neither act nor load. It sends its height and clicked links to the
 * console, which decides what to do with them.
 */
import { type FrameMessage, isShowMail } from './frame-messages.ts'

const mail = document.getElementById('mail')

function send(message: FrameMessage): void {
  // The console may run at any origin, and the message holds nothing but a height or an address of the mail itself.
  window.parent.postMessage(message, '*')
}

window.addEventListener('message', ({ source, data }) => {
  if (source !== window.parent || !isShowMail(data) || mail === null) return
  mail.innerHTML = data.html
  send({ type: 'mail-height', height: document.documentElement.offsetHeight })
})

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
