import { row, type Table } from './row.ts'
import { tests } from './test-files.ts'

const { exportOwnData, privacy, privacyDeletion, telephony, userDeletion } = tests

const submitted = privacy('are submitted with their own fields, and return the summary of the specification')
const oneAtATime = privacy(
  'is one at a time, is reported by its status, and can be made again after it was cancelled',
)

/** Endpoints of data privacy, telephony, imports and the widget. */
export const laterEndpoints: readonly Table[] = [
  {
    title: 'Endpoints: data privacy',
    rows: [
      row(
        'privacy.export',
        '`GET /api/data-privacy/export`: JSON or CSV, all data of the signed-in user',
        exportOwnData(
          'is a file with every section of the contract, and the rows that name the user in them',
          'holds no token, no hash and no personal data of customers',
          'as CSV runs no formula in a spreadsheet',
          'has each of many audit entries once, whether the user acted or was changed',
        ),
      ),
      row('privacy.deletionStatus', '`GET /api/data-privacy/deletion-request/status`', oneAtATime),
      row(
        'privacy.deletionCancel',
        '`POST /api/data-privacy/deletion-request/cancel`, only while pending',
        oneAtATime,
        privacy('that is %s cannot be cancelled'),
      ),
      row(
        'privacy.restriction',
        '`POST /api/data-privacy/restriction-request`',
        submitted,
        privacy(
          'holds from its approval until the last approved one is completed, and events hold ids only meanwhile',
        ),
      ),
      row(
        'privacy.others',
        'The other four: deletion, access, rectification, objection',
        submitted,
        privacy('demand the fields that their decision needs'),
        privacyDeletion(
          'an approved deletion ends every session and the membership at once, and the e-mail is free again',
          'after a deletion one pseudonym stands under the messages and in the audit log, and nothing says whose it was',
        ),
        userDeletion(
          'the deletion of a user continues after a process was killed between any two of its pages, and leaves only a pseudonym',
        ),
      ),
    ],
  },
  {
    title: 'Endpoints: telephony',
    rows: [
      row(
        'telephony.token',
        '`POST /api/telephony/webrtc/capability-token`',
        telephony(
          'is what the provider’s own library makes, and lives ten minutes',
          'is for oneself; only an admin names somebody else, and only an active user of the tenant',
        ),
      ),
      row(
        'telephony.metadata',
        '`PATCH /api/telephony/calls/{callId}/metadata`',
        telephony(
          'are recorded, listed, read and remarked on, and tell one event',
          'refuse a rating that is none, remarks without a field, and ids of others',
        ),
      ),
    ],
  },
  {
    title: 'Endpoints: external CRM and widget',
    rows: [
      row(
        'extcrm.integrations',
        '`GET /api/extcrm/integrations`',
        tests.integrations('the list of integrations is a plain array with the oldest first'),
      ),
      row(
        'extcrm.import',
        '`POST /api/extcrm/integrations/{id}/import`',
        tests.imports(
          'an uploaded file is described, imported in the background, and not imported twice',
          'an import needs a part, days that exist in their order, and a file of a chosen module',
        ),
        tests.externalCrmImport(
          'an import of Zoho CRM survives failures of the source, and a second one changes nothing',
          'an import of HubSpot makes customers and conversations with the links of the source',
        ),
        tests.importRuns(
          'contacts, deals, cases, notes and activities become customers, conversations, messages and calls',
        ),
      ),
      row(
        'extcrm.autoSync',
        '`PUT /api/extcrm/integrations/{id}/auto-sync`',
        tests.imports('automatic sync is refused for files'),
        tests.externalCrmImport(
          'automatic sync imports everything when it is switched on first, and plans the next sync until it is switched off',
        ),
      ),
      row(
        'extcrm.fields',
        '`GET /api/extcrm/fields/{module}`',
        tests.externalCrm(
          'need the id of an integration and a module of the list',
          'of a file are its headers',
        ),
      ),
      row(
        'widget',
        'The public chat widget',
        tests.widget(
          'is begun by the first message, which makes the customer, in one commit and in the order of the events',
          'finds its first message: one after the other, at once, and in the conversation itself',
          'cannot see, read, rate or write to the conversations and files of each other',
          'continues after a cut without a gap and without a repetition, by its own ids and by long poll',
        ),
        tests.widgetIdentity(
          'signs in one person on every device, with one customer, and fills blank fields only',
          'never finds a customer by an e-mail that a visitor typed, also not after a merge',
        ),
        tests.widgetRules('is judged on every request of the widget, the stream and the errors too'),
      ),
    ],
  },
]
