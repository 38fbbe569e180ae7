/* Instructions for the provider, as TwiML. Everything in them is escaped. */

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')
}

function response(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${content}</Response>`
}

export const nothingToDo = response('')
export const busy = response('<Reject reason="busy"/>')

interface Target {
  noun: 'Number' | 'Client'
  name: string
}

interface Dialled {
  targets: readonly Target[]
  /** The number that the other side sees. */
  callerId: string
  /** Address that the provider reports the progress to. */
  statusUrl: string
}

/** Connects the call with the first target that takes it; the caller hears ringing until then. */
export function dial({ targets, callerId, statusUrl }: Dialled): string {
  const events = 'initiated ringing answered completed'
  const nouns = targets.map(
    ({ noun, name }) =>
      `<${noun} statusCallback="${escapeXml(statusUrl)}" statusCallbackEvent="${events}">${escapeXml(name)}</${noun}>`,
  )
  return response(`<Dial answerOnBridge="true" callerId="${escapeXml(callerId)}">${nouns.join('')}</Dial>`)
}
