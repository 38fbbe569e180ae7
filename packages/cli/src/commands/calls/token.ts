import type { CapabilityToken } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'
import { printRecord } from '../../output/print-record.ts'
import { openClient } from '../../profile/open-client.ts'
import { addCommand, type NounCommand } from '../factories/add-command.ts'
import { runAction } from '../run-action.ts'

const columns: readonly Column<CapabilityToken>[] = [
  { title: 'Token', value: ({ capabilityToken }) => capabilityToken },
  { title: 'Client name', value: ({ clientName }) => clientName },
  { title: 'Provider', value: ({ provider }) => provider },
]

/** `crm calls token NUMBER`: the token is the whole output of a pipe with `--quiet`. */
export const makeCallToken: NounCommand = (parent) => {
  addCommand(parent, {
    name: 'token',
    summary: 'Create a token that lets a browser call a number',
    description: 'Create a token that lets a browser call a number. It lives 10 minutes.',
    examples: ['crm calls token +15551234567', 'token=$(crm calls token +15551234567 --quiet)'],
    options: (command) => command.option('--agent-id <id>', 'the user who calls; default: yourself'),
  })
    .argument('<number>', 'the number in international form')
    .action((customerPhone, options, self) => {
      const { agentId } = options as { agentId?: string }
      return runAction(self, async (context) => {
        const { call } = await openClient(context, 'session')
        const row = await call((crm) => crm.telephony.createToken({ customerPhone, agentId }))
        printRecord(context.output, { row, columns, quiet: row.capabilityToken })
      })
    })
}
