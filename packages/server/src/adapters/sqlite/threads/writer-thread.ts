import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads'
import type { DatabaseOptions } from '../connection/database.ts'
import { toErrorData } from '../connection/sqlite-errors.ts'
import { createGroupCommit } from '../rows/group-commit.ts'
import type { WireReply, WireRequest } from './wire.ts'

/** The maximum number of calls in one transaction, so that no caller waits long for the others. */
const groupSizeMax = 512

if (!parentPort) throw new Error('this file runs as a worker thread')
const port: MessagePort = parentPort
let group: ReturnType<typeof createGroupCommit> | undefined

function runLifeCall({ id, call, request }: WireRequest): WireReply {
  try {
    if (call === 'open') group = createGroupCommit(request as DatabaseOptions)
    else group?.close()
    return { id, reply: null }
  } catch (error) {
    return { id, error: toErrorData(error) }
  }
}

/** Adds the calls that arrived while the last group waited for the disk. */
function takeWaiting(first: WireRequest[]): WireRequest[] {
  const requests = [...first]
  while (requests.length < groupSizeMax) {
    const more = receiveMessageOnPort(port) as { message: WireRequest[] } | undefined
    if (!more) break
    requests.push(...more.message)
  }
  return requests
}

port.on('message', (first: WireRequest[]) => {
  const requests = takeWaiting(first)
  const isLifeCall = ({ call }: WireRequest) => call === 'open' || call === 'close'
  const replies = requests.filter(({ call }) => call === 'open').map(runLifeCall)
  const work = requests.filter((request) => !isLifeCall(request))
  if (work.length > 0 && group) replies.push(...group.run(work))
  replies.push(...requests.filter(({ call }) => call === 'close').map(runLifeCall))
  port.postMessage(replies)
  if (requests.some(({ call }) => call === 'close')) port.close()
})
