import { tooOld } from '../strings/preflight.ts'
import { addStandIns } from './stand-ins.ts'

/* Runs before the console, in browsers that may be too old for it. */

/** Functions without a stand-in: a browser that lacks one of them cannot show the console. */
const needed: readonly [object | undefined, string][] = [
  [window, 'ReadableStream'],
  [window.HTMLDialogElement?.prototype, 'showModal'],
  [Array.prototype, 'toSpliced'],
  [Object, 'hasOwn'],
  [AbortSignal.prototype, 'throwIfAborted'],
]

if (needed.every(([target, name]) => target !== undefined && name in target)) addStandIns()
else
  addEventListener('DOMContentLoaded', () => {
    const sentence = document.createElement('p')
    sentence.setAttribute('role', 'alert')
    sentence.textContent = tooOld
    document.body.replaceChildren(sentence)
  })
