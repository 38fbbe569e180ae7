import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples, runAction } from '../run-action.ts'
import { forceOption, formatOption, outOption, saveExport } from '../save-export.ts'

export function defineExportOwnData(privacy: CommandUnknownOpts): void {
  privacy
    .command('export')
    .summary('Download all personal data about yourself')
    .description(
      'Download all personal data about yourself: your user, memberships and sessions, and what you made or were assigned in the tenant. The audit log records the download.',
    )
    .addOption(formatOption())
    .addOption(outOption())
    .addOption(forceOption())
    .addHelpText(
      'after',
      examples('crm privacy export --format csv > me.csv', 'crm privacy export --out me.json'),
    )
    .action((options, self) =>
      runAction(self, (context) =>
        saveExport(context, { ...options, fetch: (crm, query) => crm.privacy.export(query) }),
      ),
    )
}
