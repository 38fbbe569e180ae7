import type { CrmOptions } from '@crmkit/sdk'
import {
  AttachmentsResource,
  AuthResource,
  ConversationsResource,
  CustomersResource,
  DraftsResource,
  EventsResource,
  InboxesResource,
  MessagesResource,
  Requester,
  UsersResource,
} from '@crmkit/sdk/parts'

/** The SDK's client with the areas that the console uses, so that its first load carries no others. */
export class Crm {
  readonly auth: AuthResource
  readonly customers: CustomersResource
  readonly conversations: ConversationsResource
  readonly messages: MessagesResource
  readonly drafts: DraftsResource
  readonly attachments: AttachmentsResource
  readonly users: UsersResource
  readonly inboxes: InboxesResource
  readonly events: EventsResource
  /** For areas that are loaded later. */
  readonly requester: Requester

  constructor(options: CrmOptions) {
    const requester = new Requester(options)
    this.requester = requester
    this.auth = new AuthResource(requester)
    this.customers = new CustomersResource(requester)
    this.conversations = new ConversationsResource(requester)
    this.messages = new MessagesResource(requester)
    this.drafts = new DraftsResource(requester)
    this.attachments = new AttachmentsResource(requester)
    this.users = new UsersResource(requester)
    this.inboxes = new InboxesResource(requester)
    this.events = new EventsResource(requester)
  }
}
