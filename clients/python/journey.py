"""The journey of ../journey.json with the generated client. Each call prints a line that `npm run clients` compares."""

import json
import os
import queue
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import BytesIO

from crmkit_client import AuthenticatedClient, Client
from crmkit_client.api.api_keys import api_keys_create
from crmkit_client.api.attachments import attachments_create, attachments_get
from crmkit_client.api.auth import auth_login
from crmkit_client.api.canned_replies import canned_replies_create, canned_replies_render
from crmkit_client.api.conversations import conversations_create, conversations_get, conversations_update
from crmkit_client.api.customer_notes import customer_notes_create
from crmkit_client.api.customers import (
    customers_add_tags,
    customers_create,
    customers_get,
    customers_list,
    customers_put_by_external_id,
    customers_update,
)
from crmkit_client.api.events import events_list
from crmkit_client.api.inboxes import inboxes_create
from crmkit_client.api.messages import messages_create, messages_list
from crmkit_client.api.search import search_find
from crmkit_client.api.tenant import tenant_get
from crmkit_client.api.webhooks import webhooks_create, webhooks_logs, webhooks_test
from crmkit_client.models import (
    AttachmentsCreateBody,
    CreateApiKey,
    CreateApiKeyPermissions,
    CreateCannedReply,
    CreateConversation,
    CreateConversationChannel,
    CreateConversationPriority,
    CreateCustomer,
    CreateCustomerCustomFieldsType0,
    CreateCustomerNote,
    CreateCustomerTier,
    CreateInbox,
    CreateMessage,
    CreateMessageDirection,
    CreateWebhook,
    CreateWebhookEvents,
    CustomerTags,
    Login,
    RenderCannedReply,
    UpdateConversation,
    UpdateConversationStatus,
    UpdateCustomer,
)
from crmkit_client.types import File
from webhook import verify

BASE_URL = os.environ["CRM_BASE_URL"]
FILE = "Note G, für Zoë\n".encode()


def show(call, response, **seen):
    print(json.dumps({"call": call, "status": int(response.status_code), "seen": seen}), flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.received.put((self.headers, self.rfile.read(int(self.headers["content-length"]))))
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Receiver)
server.received = queue.Queue()
threading.Thread(target=server.serve_forever, daemon=True).start()

# A person signs in and makes what the program needs.
response = auth_login.sync_detailed(
    client=Client(BASE_URL), body=Login(os.environ["CRM_EMAIL"], os.environ["CRM_PASSWORD"])
)
session = response.parsed.data
show("auth_login", response, role=session.user.role)
person = AuthenticatedClient(BASE_URL, token=session.access_token)

response = tenant_get.sync_detailed(client=person)
show("tenant_get", response, name=response.parsed.data.name)

response = inboxes_create.sync_detailed(
    client=person, body=CreateInbox("Support", channel=CreateConversationChannel.CHAT)
)
inbox = response.parsed.data
show("inboxes_create", response, channel=inbox.channel)

response = api_keys_create.sync_detailed(
    client=person,
    body=CreateApiKey(
        "Journey",
        [
            CreateApiKeyPermissions.READCUSTOMERS,
            CreateApiKeyPermissions.WRITECUSTOMERS,
            CreateApiKeyPermissions.READCONVERSATIONS,
            CreateApiKeyPermissions.WRITECONVERSATIONS,
            CreateApiKeyPermissions.WEBHOOKMANAGE,
        ],
    ),
)
show("apiKeys_create", response, permissions=len(response.parsed.data.permissions))

# From here on the program works with its key.
crm = AuthenticatedClient(BASE_URL, token=response.parsed.data.key)

response = webhooks_create.sync_detailed(
    client=crm,
    body=CreateWebhook(
        "Journey",
        f"http://127.0.0.1:{server.server_port}/hook",
        [CreateWebhookEvents.CUSTOMER_CREATED],
    ),
)
webhook = response.parsed.data
show("webhooks_create", response, isActive=webhook.is_active)

response = webhooks_test.sync_detailed(webhook.field_id, client=crm)
show("webhooks_test", response, delivery=response.parsed.data.status)

fields = CreateCustomerCustomFieldsType0()
fields["plan"] = "scale"
response = customers_create.sync_detailed(
    client=crm,
    body=CreateCustomer(
        first_name="Ada",
        email="ada@example.com",
        company="Engines",
        tier=CreateCustomerTier.GOLD,
        custom_fields=fields,
    ),
)
ada = response.parsed.data
show("customers_create", response, tier=ada.tier, plan=ada.custom_fields["plan"])

response = customers_get.sync_detailed(ada.field_id, client=crm)
show("customers_get", response, email=response.parsed.data.profile.email)

# None is sent as null, and a field that is not named is not sent.
response = customers_update.sync_detailed(
    ada.field_id, client=crm, body=UpdateCustomer(company=None, job_title="Analyst")
)
changed = response.parsed.data
show("customers_update", response, company=changed.profile.company, jobTitle=changed.job_title)

response = customers_put_by_external_id.sync_detailed(
    "shop", "42", client=crm, body=UpdateCustomer(first_name="Grace", email="grace@example.com")
)
show("customers_putByExternalId", response, externalId=response.parsed.data.external_ids[0])

cursor = {}
for _ in range(2):
    response = customers_list.sync_detailed(client=crm, limit=1, **cursor)
    page = response.parsed.pagination
    cursor = {"cursor": page.next_cursor}
    show(
        "customers_list",
        response,
        rows=len(response.parsed.data),
        total=page.total,
        hasNext=page.next_cursor is not None,
    )

response = customers_add_tags.sync_detailed(ada.field_id, client=crm, body=CustomerTags(["vip"]))
show("customers_addTags", response, tag=response.parsed.data.tags[0])

response = customer_notes_create.sync_detailed(
    ada.field_id, client=crm, body=CreateCustomerNote("Likes engines.")
)
show("customerNotes_create", response, content=response.parsed.data.content)

response = conversations_create.sync_detailed(
    client=crm,
    body=CreateConversation(
        "A question", inbox.field_id, customer_id=ada.field_id, priority=CreateConversationPriority.HIGH
    ),
)
conversation = response.parsed.data
show("conversations_create", response, status=conversation.status, priority=conversation.priority)

response = messages_create.sync_detailed(
    conversation.field_id,
    client=crm,
    body=CreateMessage("How do I begin?", direction=CreateMessageDirection.INBOUND),
)
show("messages_create", response, direction=response.parsed.data.direction)

response = attachments_create.sync_detailed(
    client=crm, body=AttachmentsCreateBody(File(BytesIO(FILE), "note.txt", "text/plain"))
)
attachment = response.parsed.data
show("attachments_create", response, filename=attachment.filename, size=attachment.size)

# The same request again, as after a lost response: the service has the message already.
reply = CreateMessage("So.", attachments=[attachment.field_id], client_message_id="journey-1")
response = messages_create.sync_detailed(conversation.field_id, client=crm, body=reply)
message = response.parsed.data
show("messages_create", response, direction=message.direction, attachments=len(message.attachments))
response = messages_create.sync_detailed(conversation.field_id, client=crm, body=reply)
show("messages_create", response, isTheSame=response.parsed.data.field_id == message.field_id)

response = messages_list.sync_detailed(conversation.field_id, client=crm)
show("messages_list", response, rows=len(response.parsed.data))

response = attachments_get.sync_detailed(attachment.field_id, client=crm)
show("attachments_get", response, text=response.parsed.payload.read().decode())

response = conversations_update.sync_detailed(
    conversation.field_id, client=crm, body=UpdateConversation(status=UpdateConversationStatus.PENDING)
)
show("conversations_update", response, status=response.parsed.data.status)

response = conversations_get.sync_detailed(conversation.field_id, client=crm)
show("conversations_get", response, email=response.parsed.data.customer_id.profile.email)

response = search_find.sync_detailed(client=crm, q="ada@example.com")
show("search_find", response, customers=len(response.parsed.data.customers))

response = canned_replies_create.sync_detailed(
    client=crm, body=CreateCannedReply("hello", "Hello", "Hello {{customer.firstName}}")
)
canned = response.parsed.data
show("cannedReplies_create", response, shortcut=canned.shortcut)

response = canned_replies_render.sync_detailed(
    canned.field_id, client=crm, body=RenderCannedReply(conversation.field_id)
)
show("cannedReplies_render", response, content=response.parsed.data.content)

# The event of the first customer, after the one of the test.
while True:
    headers, received = server.received.get(timeout=30)
    if json.loads(received)["event"] == "customer.created":
        break

# The log may show an event shortly after its webhook.
events = []
while not events:
    response = events_list.sync_detailed(client=crm, types=[CreateWebhookEvents.CUSTOMER_CREATED], limit=1)
    events = response.parsed.data
show("events_list", response, first=events[0].event)

response = webhooks_logs.sync_detailed(webhook.field_id, client=crm)
show("webhooks_logs", response, hasRows=len(response.parsed.data.logs) > 0)

# Refusals have types too.
response = customers_create.sync_detailed(client=crm, body=CreateCustomer(email="nobody"))
refusal = response.parsed
show("customers_create", response, code=refusal.code, field=refusal.details[0].field)

response = customers_get.sync_detailed("cus_00000000000000000000000000", client=crm)
show("customers_get", response, code=response.parsed.code)

print(
    json.dumps(
        {
            "webhook": "customer.created",
            "isSigned": verify(webhook.secret, headers, received),
            "isSignedWhenChanged": verify(webhook.secret, headers, received + b" "),
        }
    )
)
