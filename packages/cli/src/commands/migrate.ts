import type { Command, CommandUnknownOpts, OptionValues } from '@commander-js/extra-typings'
import { addCommand, helpEnd } from './factories/add-command.ts'
import { migrate } from './migrate/migrate.ts'
import { runAction } from './run-action.ts'

interface Product {
  readonly name: string
  readonly productName: string
  /** The end of the example. */
  readonly example: string
  readonly notes: string
  readonly email?: string
  readonly account?: string
  readonly dump?: { readonly file: string; readonly storage: string; readonly example: string }
}

const products = {
  chatwoot: {
    productName: 'Chatwoot',
    example: '--url https://app.chatwoot.com --account 7',
    notes: 'The token is the access token of an administrator.',
    account: 'the number of the account, as its addresses show it',
    dump: {
      file: 'read a plain dump of the database by pg_dump instead of the account; no token is asked for',
      storage:
        'the folder of Active Storage with the files of the dump; without it they are named as missing',
      example: '--dump chatwoot.sql --storage storage',
    },
  },
  intercom: {
    productName: 'Intercom',
    example: '--url https://api.intercom.io',
    notes:
      'The token is an access token of an app in the workspace. The address has the region: api.eu.intercom.io, api.au.intercom.io.',
    account: 'the id of the workspace, to be sure that the token belongs to it',
  },
  zendesk: {
    productName: 'Zendesk',
    example: '--url https://acme.zendesk.com --email ada@acme.test',
    notes: 'The token is an API token of the administrator of --email; without --email it is an OAuth token.',
    email: 'the e-mail address of the administrator whose API token it is',
  },
} as const satisfies Readonly<Record<string, Omit<Product, 'name'>>>

export type ProductName = keyof typeof products

export function defineMigrate(command: Command): void {
  command.addHelpText(
    'after',
    helpEnd({
      notes: [
        'A reader makes a package: a folder with everything that the account shows. The token is asked for, or comes from',
        'CRM_MIGRATE_TOKEN or CRM_MIGRATE_TOKEN_FILE. When a reader was interrupted, the same command goes on.',
      ].join('\n'),
      examples: [exampleOf('zendesk', products.zendesk.example)],
    }),
  )
  for (const [name, product] of Object.entries(products)) addProduct(command, { name, ...product })
}

function exampleOf(name: string, end: string): string {
  return `crm migrate ${name} from-${name} ${end}`
}

function addProduct(
  parent: CommandUnknownOpts,
  { name, productName, example, notes, ...has }: Product,
): void {
  const line = exampleOf(name, example)
  const command = addCommand(parent, {
    name,
    description: `Read an account of ${productName} into a folder.`,
    notes,
    examples: [line, `${line} --sync`, ...(has.dump ? [`${line} ${has.dump.example}`] : [])],
  })
    .argument('<folder>', 'the folder of the package; it is made, or gone on with')
    .requiredOption('--url <url>', 'the address of the account')
    .option('--sync', 'read what changed since the last time, into a folder inside of it')
  if (has.email !== undefined) command.option('--email <email>', has.email)
  if (has.account !== undefined) command.option('--account <id>', has.account)
  if (has.dump !== undefined)
    command.option('--dump <file>', has.dump.file).option('--storage <folder>', has.dump.storage)
  command.action((folder, options, self) =>
    runAction(self, (context) =>
      migrate(context, name as ProductName, { folder, options: options as OptionValues }),
    ),
  )
}
