import { type ToFrame, type ToPage, targetOf } from '../shared/protocol.ts'
import { Chat } from './chat.ts'

const key = new URLSearchParams(location.search).get('key') ?? ''
/** The page names its origin in the fragment. One that lies gets no message, because the target is exact. */
const pageOrigin = decodeURIComponent(location.hash.slice(1))

let chat: Chat | undefined

function tell(message: ToPage): void {
  parent.postMessage(message, targetOf(pageOrigin))
}

function receive({ source, origin, data }: MessageEvent<ToFrame>): void {
  if (source !== parent || origin !== pageOrigin) return
  if (data.type === 'init') chat ??= new Chat({ key, origin: pageOrigin, ...data, tell })
  else chat?.receive(data)
}

if (parent !== window && pageOrigin) {
  addEventListener('message', receive)
  tell({ type: 'ready' })
}
