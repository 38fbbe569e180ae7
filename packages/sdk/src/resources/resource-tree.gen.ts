// Generated from the contract by scripts/generate.ts. Do not edit.
import type { Requester } from '../core/requester.ts'
import { AnalyticsResource } from './analytics.gen.ts'
import { ApiKeysResource } from './api-keys.gen.ts'
import { AttachmentsResource } from './attachments.gen.ts'
import { AuthResource } from './auth.gen.ts'
import { CallsResource } from './calls.gen.ts'
import { CannedRepliesResource } from './canned-replies.gen.ts'
import { ConversationsResource } from './conversations.gen.ts'
import { CustomerNotesResource } from './customer-notes.gen.ts'
import { CustomersResource } from './customers.gen.ts'
import { DoorsResource } from './doors.gen.ts'
import { DraftsResource } from './drafts.gen.ts'
import { EventsResource } from './event-log.gen.ts'
import { HealthResource } from './health.gen.ts'
import { ImportsResource } from './imports.gen.ts'
import { InboxesResource } from './inboxes.gen.ts'
import { IntegrationsResource } from './integrations.gen.ts'
import { MailsResource } from './mails.gen.ts'
import { MessagesResource } from './messages.gen.ts'
import { PrivacyRequestsResource } from './privacy-requests.gen.ts'
import { PrivacyResource } from './privacy.gen.ts'
import { SearchResource } from './search.gen.ts'
import { SuppressedAddressesResource } from './suppressed-addresses.gen.ts'
import { TelephonyResource } from './telephony.gen.ts'
import { TenantResource } from './tenant.gen.ts'
import { UsersResource } from './users.gen.ts'
import { ViewsResource } from './views.gen.ts'
import { WebhooksResource } from './webhooks.gen.ts'

/** Every area of the service. */
export abstract class ResourceTree {
  readonly health: HealthResource
  readonly auth: AuthResource
  readonly tenant: TenantResource
  readonly apiKeys: ApiKeysResource
  readonly customers: CustomersResource
  readonly customerNotes: CustomerNotesResource
  readonly conversations: ConversationsResource
  readonly search: SearchResource
  readonly messages: MessagesResource
  readonly drafts: DraftsResource
  readonly attachments: AttachmentsResource
  readonly users: UsersResource
  readonly inboxes: InboxesResource
  readonly mails: MailsResource
  readonly telephony: TelephonyResource
  readonly calls: CallsResource
  readonly integrations: IntegrationsResource
  readonly imports: ImportsResource
  readonly doors: DoorsResource
  readonly suppressedAddresses: SuppressedAddressesResource
  readonly cannedReplies: CannedRepliesResource
  readonly views: ViewsResource
  readonly webhooks: WebhooksResource
  readonly events: EventsResource
  readonly analytics: AnalyticsResource
  readonly privacy: PrivacyResource
  readonly privacyRequests: PrivacyRequestsResource

  constructor(requester: Requester) {
    this.health = new HealthResource(requester)
    this.auth = new AuthResource(requester)
    this.tenant = new TenantResource(requester)
    this.apiKeys = new ApiKeysResource(requester)
    this.customers = new CustomersResource(requester)
    this.customerNotes = new CustomerNotesResource(requester)
    this.conversations = new ConversationsResource(requester)
    this.search = new SearchResource(requester)
    this.messages = new MessagesResource(requester)
    this.drafts = new DraftsResource(requester)
    this.attachments = new AttachmentsResource(requester)
    this.users = new UsersResource(requester)
    this.inboxes = new InboxesResource(requester)
    this.mails = new MailsResource(requester)
    this.telephony = new TelephonyResource(requester)
    this.calls = new CallsResource(requester)
    this.integrations = new IntegrationsResource(requester)
    this.imports = new ImportsResource(requester)
    this.doors = new DoorsResource(requester)
    this.suppressedAddresses = new SuppressedAddressesResource(requester)
    this.cannedReplies = new CannedRepliesResource(requester)
    this.views = new ViewsResource(requester)
    this.webhooks = new WebhooksResource(requester)
    this.events = new EventsResource(requester)
    this.analytics = new AnalyticsResource(requester)
    this.privacy = new PrivacyResource(requester)
    this.privacyRequests = new PrivacyRequestsResource(requester)
  }
}
