import { InvalidArgumentError } from '@commander-js/extra-typings'

/** Parses an address of a receiver; `4242` and `localhost:4242/hook` are on this machine. */
export function receiverUrl(text: string): string {
  const given = /^\d{1,5}(\/|$)/.test(text) ? `localhost:${text}` : text
  const url = URL.parse(/^[\w.-]+:\d{1,5}(\/|$)/.test(given) ? `http://${given}` : given)
  if (url && /^https?:$/.test(url.protocol)) return url.href
  throw new InvalidArgumentError('Expected an address such as http://localhost:3000/hook.')
}
