/** Fields that the OpenAPI document does not have, with the place that does. */
interface Further {
  readonly object: string
  readonly fields: readonly string[]
  readonly source: string
}

interface Vendor {
  readonly source: string
  /** The schemas of the document, by the names of our emulator. */
  readonly schemas: Readonly<Record<string, string>>
  readonly further: readonly Further[]
}

const zendeskDocs = 'https://developer.zendesk.com/documentation/ticketing'

export const vendors: Readonly<Record<string, Vendor>> = {
  intercom: {
    source: 'https://github.com/intercom/Intercom-OpenAPI, descriptions/2.16/api.intercom.io.yaml',
    schemas: {
      admin: 'admin',
      contact: 'contact',
      company: 'company',
      conversation: 'conversation',
      source: 'conversation_source',
      part: 'conversation_part',
      author: 'conversation_part_author',
      attachment: 'part_attachment',
      rating: 'conversation_rating',
      mail: 'email_message_metadata',
      note: 'note',
      macro: 'macro',
      tag: 'tag',
      conversationList: 'conversation_list',
      contactList: 'contact_list',
    },
    further: [],
  },
  zendesk: {
    source: 'https://developer.zendesk.com/zendesk/oas.yaml (Support API), by a public copy of that day',
    schemas: {
      ticket: 'TicketObject',
      comment: 'TicketCommentObject',
      attachment: 'AttachmentObject',
      user: 'UserForAdmin',
      identity: 'UserIdentityObject',
      organization: 'OrganizationObject',
      rating: 'SatisfactionRatingObject',
      address: 'SupportAddressObject',
      macro: 'MacroObject',
      ticketField: 'TicketFieldObject',
      customStatus: 'CustomStatusObject',
      via: 'TicketAuditViaObject',
      metricSet: 'TicketMetricObject',
      ticketExport: 'CursorBasedExportIncrementalTicketsResponse',
      userExport: 'CursorBasedExportIncrementalUsersResponse',
    },
    further: [
      {
        object: 'ticket',
        fields: ['metric_set'],
        source: `${zendeskDocs}/using-the-zendesk-api/side_loading/`,
      },
      {
        object: 'comment',
        fields: ['data'],
        source: `${zendeskDocs}/managing-tickets/adding-voice-comments-to-tickets`,
      },
      {
        object: 'voice',
        fields: [
          'answered_by_id',
          'call_duration',
          'from',
          'location',
          'recording_url',
          'started_at',
          'to',
          'transcription_text',
        ],
        source: `${zendeskDocs}/managing-tickets/adding-voice-comments-to-tickets`,
      },
      {
        object: 'system',
        fields: ['client', 'ip_address', 'message_id'],
        source:
          'https://github.com/singer-io/tap-zendesk, tap_zendesk/schemas/shared/metadata.json; no other',
      },
      {
        object: 'page',
        fields: ['links', 'meta'],
        source: 'https://developer.zendesk.com/api-reference/introduction/pagination/',
      },
      {
        object: 'ticketExport',
        fields: ['users'],
        source: `${zendeskDocs}/using-the-zendesk-api/side_loading/`,
      },
      {
        object: 'userExport',
        fields: ['identities'],
        source: `${zendeskDocs}/using-the-zendesk-api/side_loading/`,
      },
    ],
  },
}
