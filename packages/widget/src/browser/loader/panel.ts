import { defaultColor, readableOn } from '../shared/colors.ts'
import type { ToFrame, ToPage, WidgetConfig } from '../shared/protocol.ts'
import { type BubbleTexts, type GivenTexts, unreadText } from '../shared/strings.ts'
import { PageTitle } from './page-title.ts'
import { say } from './say.ts'
import { styles } from './styles.ts'

interface Options {
  base: string
  key: string
  config: WidgetConfig
  language: string
  direction: string
  texts: BubbleTexts
  /** Handed on to the frame. */
  given: GivenTexts
  onUnread(count: number): void
  onExpired(): void
}

const frameTimeoutMs = 20_000
const icons = {
  closed: 'M4 3h16a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z',
  open: 'M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12 19 17.6 17.6 19 12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z',
}

/** The address of the page without its query and fragment, which may hold secrets. */
function pageAddress(): string {
  return location.origin + location.pathname
}

/** The bubble, its badge and the frame, in a shadow tree that no style of the page enters. */
export class Panel {
  readonly #options: Options
  readonly #host = document.createElement('crm-widget')
  readonly #root = this.#host.attachShadow({ mode: 'open' })
  readonly #bubble = document.createElement('button')
  readonly #icon = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  readonly #badge = document.createElement('span')
  readonly #origin: string
  readonly #title = new PageTitle()
  #frame: HTMLIFrameElement | undefined
  #frameTimer = 0
  #hasSound = true
  #isReady = false
  #isOpen = false
  #isOff = false
  #waiting: ToFrame[] = []

  constructor(options: Options) {
    this.#options = options
    this.#origin = new URL(options.base).origin
    this.#draw()
    window.addEventListener('message', (event) => this.#receive(event))
    this.#stayInPage()
    this.#leaveKeyboard()
    const start = () => this.#makeFrame()
    const whenIdle = () =>
      'requestIdleCallback' in window
        ? requestIdleCallback(start, { timeout: 5_000 })
        : setTimeout(start, 500)
    if (document.readyState === 'complete') whenIdle()
    else window.addEventListener('load', whenIdle, { once: true })
  }

  open(): void {
    if (this.#isOff) return
    this.#isOpen = true
    this.#makeFrame()
    this.#show()
    this.#frame?.focus()
    this.#send({ type: 'open', page: pageAddress() })
  }

  close(): void {
    const hadFocus = this.#root.activeElement === this.#frame && this.#frame !== undefined
    this.#isOpen = false
    this.#show()
    if (hadFocus) this.#bubble.focus()
    if (this.#frame) this.#send({ type: 'close' })
  }

  identify(userToken: string): void {
    if (this.#isOff) return
    this.#makeFrame()
    this.#send({ type: 'identify', userToken, page: pageAddress() })
  }

  /** A frame that is not there yet learns it when it starts. */
  sound(hasSound: boolean): void {
    this.#hasSound = hasSound
    if (this.#isReady) this.#send({ type: 'sound', hasSound })
  }

  /** The frame holds what has to be deleted, so it is made for that when it is not there yet. */
  shutdown(): void {
    this.close()
    this.#setUnread({ count: 0, all: 0 })
    this.#bubble.hidden = this.#options.config.identityRequired
    this.#makeFrame()
    this.#send({ type: 'shutdown' })
  }

  #draw(): void {
    const { config, direction, texts } = this.#options
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    this.#root.adoptedStyleSheets = [sheet]
    const color = config.color ?? defaultColor
    this.#host.style.setProperty('--color', color)
    this.#host.style.setProperty('--on-color', readableOn(color))
    if (direction) this.#host.dir = direction
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    svg.setAttribute('viewBox', '0 0 24 24')
    svg.setAttribute('aria-hidden', 'true')
    svg.append(this.#icon)
    this.#bubble.type = 'button'
    this.#bubble.append(svg)
    this.#bubble.hidden = config.identityRequired
    this.#bubble.setAttribute('aria-describedby', 'unread')
    this.#bubble.onclick = () => (this.#isOpen ? this.close() : this.open())
    this.#badge.id = 'unread'
    this.#badge.className = 'badge'
    this.#badge.hidden = true
    this.#badge.role = 'img'
    this.#badge.ariaLabel = unreadText(texts, 0)
    this.#root.append(this.#bubble, this.#badge)
    this.#show()
  }

  /** An app that replaces the page's content may remove the host. Under `html` a swap of `body` leaves the frame alone. */
  #stayInPage(): void {
    const observer = new MutationObserver(() => putBack())
    const putBack = () => {
      if (!this.#host.isConnected) {
        this.#isReady = false
        document.documentElement.append(this.#host)
      }
      observer.observe(document.documentElement, { childList: true })
    }
    observer.observe(document, { childList: true })
    putBack()
  }

  /** A phone's keyboard covers the page without making it smaller: on a small screen the frame fills what is left. */
  #leaveKeyboard(): void {
    const viewport = window.visualViewport
    const fit = () => {
      // The visitor has zoomed in: nothing covers the page.
      if (!viewport || viewport.scale > 1.01) return
      this.#host.style.setProperty('--top', `${viewport.offsetTop}px`)
      this.#host.style.setProperty('--height', `${viewport.height}px`)
    }
    viewport?.addEventListener('resize', fit)
    viewport?.addEventListener('scroll', fit)
  }

  #makeFrame(): void {
    if (this.#frame || this.#isOff) return
    const { base, key } = this.#options
    const frame = document.createElement('iframe')
    frame.title = this.#options.texts.chat
    frame.src = `${base}/widget/v1/frame?key=${encodeURIComponent(key)}#${location.origin}`
    this.#frame = frame
    this.#frameTimer = setTimeout(() => {
      // The next click tries again.
      say(`the frame ${base}/widget/v1/frame did not load`)
      frame.remove()
      this.#frame = undefined
      this.close()
    }, frameTimeoutMs)
    this.#root.prepend(frame)
    this.#show()
  }

  #show(): void {
    const { texts } = this.#options
    this.#icon.setAttribute('d', this.#isOpen ? icons.open : icons.closed)
    this.#bubble.ariaLabel = this.#isOpen ? texts.close : texts.openChat
    this.#bubble.ariaExpanded = String(this.#isOpen)
    this.#frame?.classList.toggle('open', this.#isOpen)
  }

  #setUnread({ count, all }: { count: number; all: number }): void {
    this.#title.show(all)
    this.#badge.textContent = String(count)
    this.#badge.ariaLabel = unreadText(this.#options.texts, count)
    this.#badge.hidden = count === 0 || this.#bubble.hidden
    this.#options.onUnread(count)
  }

  #send(message: ToFrame): void {
    if (this.#isReady) this.#frame?.contentWindow?.postMessage(message, this.#origin)
    else this.#waiting.push(message)
  }

  #receive({ source, origin, data }: MessageEvent<ToPage>): void {
    if (!this.#frame || source !== this.#frame.contentWindow || origin !== this.#origin) return
    if (data.type === 'ready') this.#start()
    else if (data.type === 'unread') this.#setUnread(data)
    else if (data.type === 'close') this.close()
    else if (data.type === 'identified') this.#bubble.hidden = false
    else if (data.type === 'expired') this.#options.onExpired()
    else if (data.type === 'off') this.#turnOff(data.reason)
  }

  /** The frame has loaded, for the first time or again because the page moved it. */
  #start(): void {
    clearTimeout(this.#frameTimer)
    const { config, language, direction, given: texts } = this.#options
    const waiting = this.#waiting
    this.#waiting = []
    this.#isReady = true
    this.#send({ type: 'init', config, language, direction, texts, hasSound: this.#hasSound })
    if (this.#isOpen && !waiting.some(({ type }) => type === 'open'))
      this.#send({ type: 'open', page: pageAddress() })
    for (const message of waiting) this.#send(message)
  }

  #turnOff(reason: string): void {
    this.close()
    this.#isOff = true
    this.#host.hidden = true
    say(reason)
  }
}
