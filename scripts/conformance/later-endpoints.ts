import { row, type Table } from './row.ts'

/** Endpoints that are not built yet. */
export const laterEndpoints: readonly Table[] = [
  {
    title: 'Endpoints: data privacy',
    rows: [
      row('privacy.export', '`GET /api/data-privacy/export`: JSON or CSV, all data of the signed-in user'),
      row('privacy.deletionStatus', '`GET /api/data-privacy/deletion-request/status`'),
      row('privacy.deletionCancel', '`POST /api/data-privacy/deletion-request/cancel`, only while pending'),
      row('privacy.restriction', '`POST /api/data-privacy/restriction-request`'),
      row('privacy.others', 'The other four: deletion, access, rectification, objection'),
    ],
  },
  {
    title: 'Endpoints: telephony',
    rows: [
      row('telephony.token', '`POST /api/telephony/webrtc/capability-token`'),
      row('telephony.metadata', '`PATCH /api/telephony/calls/{callId}/metadata`'),
    ],
  },
  {
    title: 'Endpoints: external CRM and widget',
    rows: [
      row('extcrm.integrations', '`GET /api/extcrm/integrations`'),
      row('extcrm.import', '`POST /api/extcrm/integrations/{id}/import`'),
      row('extcrm.autoSync', '`PUT /api/extcrm/integrations/{id}/auto-sync`'),
      row('extcrm.fields', '`GET /api/extcrm/fields/{module}`'),
      row('widget', 'The public chat widget'),
    ],
  },
]
