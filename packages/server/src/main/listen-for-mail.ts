import type { Service } from './compose/service.ts'
import type { SmtpAddress } from './config/mail-variables.ts'
import { type Listening, portProblem } from './listen.ts'

/** Receives mail over SMTP on a port of its own, where it is switched on. */
export async function listenForMail(
  { smtpDoor }: Pick<Service, 'smtpDoor'>,
  address: SmtpAddress | undefined,
): Promise<Listening | undefined> {
  if (smtpDoor === undefined || address === undefined) return undefined
  const { host, port } = address
  const { server } = smtpDoor
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (error) =>
    reject(new Error(portProblem(error, { host, port, variable: 'CRM_SMTP_PORT' }))),
  )
  server.once('listening', resolve)
  smtpDoor.listen(port, host)
  await promise
  const bound = server.address()
  const boundPort = bound !== null && typeof bound === 'object' ? bound.port : port
  return { url: `smtp://${host}:${boundPort}`, close: () => smtpDoor.stop() }
}
