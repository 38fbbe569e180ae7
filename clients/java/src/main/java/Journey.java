import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.crmkit.ApiClient;
import dev.crmkit.ApiException;
import dev.crmkit.ApiResponse;
import dev.crmkit.api.*;
import dev.crmkit.model.*;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The journey of ../journey.json with the generated client. Each call prints a line that `npm run clients` compares. */
public final class Journey {
  private static final ObjectMapper json = new ObjectMapper();
  private static final String file = "Note G, für Zoë\n";

  private ApiClient crm;
  private String inbox;
  private String ada;
  private String conversation;

  public static void main(String[] args) throws Exception {
    new Journey().take();
  }

  record Delivery(Map<String, String> headers, byte[] body) {
    boolean isSigned(String secret, byte[] body) throws Exception {
      String id = headers.get("Webhook-id");
      return Webhook.verify(secret, id, headers.get("Webhook-timestamp"), headers.get("Webhook-signature"), body);
    }
  }

  private void take() throws Exception {
    BlockingQueue<Delivery> received = new LinkedBlockingQueue<>();
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/hook", exchange -> received.add(receive(exchange)));
    server.start();
    try {
      call("http://127.0.0.1:" + server.getAddress().getPort() + "/hook", received);
    } finally {
      server.stop(0);
    }
  }

  private void call(String url, BlockingQueue<Delivery> received) throws Exception {
    signIn();
    WebhooksApi webhooks = new WebhooksApi(crm);
    CreateWebhook settings = new CreateWebhook()
        .name("Journey")
        .url(url)
        .events(List.of(CreateWebhookEvents.CUSTOMER_CREATED));
    ApiResponse<CreatedWebhookReply> created = webhooks.webhooksCreateWithHttpInfo(settings, null);
    CreatedWebhook webhook = created.getData().getData();
    show("webhooks_create", created, "isActive", webhook.getIsActive());

    ApiResponse<WebhooksTestReply> tested = webhooks.webhooksTestWithHttpInfo(webhook.getId(), null);
    show("webhooks_test", tested, "delivery", tested.getData().getData().getStatus());

    workWithCustomers();
    workWithConversations();

    // The event of the first customer, after the one of the test.
    Delivery event = received.poll(30, TimeUnit.SECONDS);
    while (!"customer.created".equals(json.readTree(event.body()).get("event").asText()))
      event = received.poll(30, TimeUnit.SECONDS);
    readEvents(webhook.getId());
    beRefused();

    byte[] changed = Arrays.copyOf(event.body(), event.body().length + 1);
    print(
        "webhook", "customer.created",
        "isSigned", event.isSigned(webhook.getSecret(), event.body()),
        "isSignedWhenChanged", event.isSigned(webhook.getSecret(), changed));
  }

  private static Delivery receive(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
    Map<String, String> headers = new LinkedHashMap<>();
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.get(0)));
    return new Delivery(headers, body);
  }

  private static ApiClient newClient(String token) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("CRM_BASE_URL"));
    if (token != null) client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    return client;
  }

  /** A person signs in and makes what the program needs: an inbox, and the key that it works with from then on. */
  private void signIn() throws Exception {
    Login login = new Login().email(System.getenv("CRM_EMAIL")).password(System.getenv("CRM_PASSWORD"));
    ApiResponse<SessionReply> session = new AuthApi(newClient(null)).authLoginWithHttpInfo(login);
    show("auth_login", session, "role", session.getData().getData().getUser().getRole());
    ApiClient person = newClient(session.getData().getData().getAccessToken());

    ApiResponse<TenantReply> tenant = new TenantApi(person).tenantGetWithHttpInfo();
    show("tenant_get", tenant, "name", tenant.getData().getData().getName());

    CreateInbox support = new CreateInbox().name("Support").channel(CreateConversationChannel.CHAT);
    ApiResponse<InboxReply> made = new InboxesApi(person).inboxesCreateWithHttpInfo(support, null);
    inbox = made.getData().getData().getId();
    show("inboxes_create", made, "channel", made.getData().getData().getChannel());

    CreateApiKey wanted = new CreateApiKey()
        .name("Journey")
        .permissions(List.of(
            CreateApiKeyPermissions.READ_CUSTOMERS,
            CreateApiKeyPermissions.WRITE_CUSTOMERS,
            CreateApiKeyPermissions.READ_CONVERSATIONS,
            CreateApiKeyPermissions.WRITE_CONVERSATIONS,
            CreateApiKeyPermissions.WEBHOOK_MANAGE));
    ApiResponse<CreatedApiKeyReply> key = new ApiKeysApi(person).apiKeysCreateWithHttpInfo(wanted, null);
    show("apiKeys_create", key, "permissions", key.getData().getData().getPermissions().size());
    crm = newClient(key.getData().getData().getKey());
  }

  private void workWithCustomers() throws Exception {
    CustomersApi customers = new CustomersApi(crm);
    CreateCustomer person = new CreateCustomer()
        .firstName("Ada")
        .email("ada@example.com")
        .company("Engines")
        .tier(CreateCustomerTier.GOLD)
        .customFields(Map.of("plan", "scale"));
    ApiResponse<CustomerReply> created = customers.customersCreateWithHttpInfo(person, null);
    Customer first = created.getData().getData();
    ada = first.getId();
    show("customers_create", created, "tier", first.getTier(), "plan", first.getCustomFields().get("plan"));

    ApiResponse<CustomerDetailsReply> got = customers.customersGetWithHttpInfo(ada);
    show("customers_get", got, "email", got.getData().getData().getProfile().getEmail());

    // A field can be sent as null; one that is not named is not sent.
    UpdateCustomer changes = new UpdateCustomer().company(null).jobTitle("Analyst");
    ApiResponse<CustomerReply> updated = customers.customersUpdateWithHttpInfo(ada, changes);
    Customer changed = updated.getData().getData();
    show("customers_update", updated, "company", changed.getProfile().getCompany(), "jobTitle", changed.getJobTitle());

    UpdateCustomer grace = new UpdateCustomer().firstName("Grace").email("grace@example.com");
    ApiResponse<CustomerReply> stored = customers.customersPutByExternalIdWithHttpInfo("shop", "42", grace);
    show("customers_putByExternalId", stored, "externalId", stored.getData().getData().getExternalIds().get(0));

    String cursor = null;
    for (int page = 0; page < 2; page++) {
      ApiResponse<ListedCustomerListReply> list = customers.customersListWithHttpInfo(
          CustomersApi.APICustomersListRequest.newBuilder().limit(1).cursor(cursor).build());
      Pagination pagination = list.getData().getPagination();
      cursor = pagination.getNextCursor();
      int rows = list.getData().getData().size();
      show("customers_list", list, "rows", rows, "total", pagination.getTotal(), "hasNext", cursor != null);
    }

    CustomerTags tags = new CustomerTags().tags(List.of("vip"));
    ApiResponse<CustomerReply> tagged = customers.customersAddTagsWithHttpInfo(ada, tags, null);
    show("customers_addTags", tagged, "tag", tagged.getData().getData().getTags().get(0));

    CreateCustomerNote text = new CreateCustomerNote().content("Likes engines.");
    ApiResponse<CustomerNoteReply> note = new CustomerNotesApi(crm).customerNotesCreateWithHttpInfo(ada, text, null);
    show("customerNotes_create", note, "content", note.getData().getData().getContent());
  }

  private void workWithConversations() throws Exception {
    ConversationsApi conversations = new ConversationsApi(crm);
    CreateConversation question = new CreateConversation()
        .subject("A question")
        .inboxId(inbox)
        .customerId(ada)
        .priority(CreateConversationPriority.HIGH);
    ApiResponse<ConversationReply> created = conversations.conversationsCreateWithHttpInfo(question, null);
    Conversation begun = created.getData().getData();
    conversation = begun.getId();
    show("conversations_create", created, "status", begun.getStatus(), "priority", begun.getPriority());

    exchangeMessages();

    UpdateConversation pending = new UpdateConversation().status(UpdateConversationStatus.PENDING);
    ApiResponse<ConversationReply> updated = conversations.conversationsUpdateWithHttpInfo(conversation, pending);
    show("conversations_update", updated, "status", updated.getData().getData().getStatus());

    ApiResponse<ConversationLook> got = conversations.conversationsGetWithHttpInfo(conversation, null);
    Customer customer = got.getData().getData().getCustomerId().getCustomer();
    show("conversations_get", got, "email", customer.getProfile().getEmail());

    ApiResponse<SearchResultsReply> found = new SearchApi(crm).searchFindWithHttpInfo("ada@example.com", null, null);
    show("search_find", found, "customers", found.getData().getData().getCustomers().size());

    CannedRepliesApi replies = new CannedRepliesApi(crm);
    CreateCannedReply hello =
        new CreateCannedReply().shortcut("hello").title("Hello").content("Hello {{customer.firstName}}");
    ApiResponse<CannedReplyReply> canned = replies.cannedRepliesCreateWithHttpInfo(hello, null);
    show("cannedReplies_create", canned, "shortcut", canned.getData().getData().getShortcut());

    RenderCannedReply values = new RenderCannedReply().conversationId(conversation);
    ApiResponse<RenderedReplyReply> rendered =
        replies.cannedRepliesRenderWithHttpInfo(canned.getData().getData().getId(), values, null);
    show("cannedReplies_render", rendered, "content", rendered.getData().getData().getContent());
  }

  private void exchangeMessages() throws Exception {
    MessagesApi messages = new MessagesApi(crm);
    CreateMessage question =
        new CreateMessage().content("How do I begin?").direction(CreateMessageDirection.INBOUND);
    ApiResponse<MessageReply> asked = send(messages, question);
    show("messages_create", asked, "direction", asked.getData().getData().getDirection());

    AttachmentsApi attachments = new AttachmentsApi(crm);
    Path path = Files.writeString(Files.createTempDirectory("journey").resolve("note.txt"), file);
    ApiResponse<AttachmentOutputReply> uploaded = attachments.attachmentsCreateWithHttpInfo(path.toFile(), null);
    AttachmentOutput attachment = uploaded.getData().getData();
    show("attachments_create", uploaded, "filename", attachment.getFilename(), "size", attachment.getSize());

    // The same request again, as after a lost response: the service has the message already.
    CreateMessage reply = new CreateMessage()
        .content("So.")
        .attachments(List.of(attachment.getId()))
        .clientMessageId("journey-1");
    ApiResponse<MessageReply> sent = send(messages, reply);
    Message message = sent.getData().getData();
    int files = message.getAttachments().size();
    show("messages_create", sent, "direction", message.getDirection(), "attachments", files);
    ApiResponse<MessageReply> again = send(messages, reply);
    show("messages_create", again, "isTheSame", again.getData().getData().getId().equals(message.getId()));

    ApiResponse<MessageListReply> list = messages.messagesListWithHttpInfo(
        MessagesApi.APIMessagesListRequest.newBuilder().id(conversation).build());
    show("messages_list", list, "rows", list.getData().getData().size());

    ApiResponse<java.io.File> bytes = attachments.attachmentsGetWithHttpInfo(attachment.getId());
    show("attachments_get", bytes, "text", Files.readString(bytes.getData().toPath(), StandardCharsets.UTF_8));
  }

  private ApiResponse<MessageReply> send(MessagesApi messages, CreateMessage message) throws ApiException {
    return messages.messagesCreateWithHttpInfo(
        MessagesApi.APIMessagesCreateRequest.newBuilder().id(conversation).createMessage(message).build());
  }

  private void readEvents(String webhook) throws Exception {
    List<CreateWebhookEvents> types = List.of(CreateWebhookEvents.CUSTOMER_CREATED);
    EventsApi log = new EventsApi(crm);
    ApiResponse<LoggedEventListReply> events = log.eventsListWithHttpInfo(null, types, 1);
    // The log may show an event shortly after its webhook.
    while (events.getData().getData().isEmpty()) events = log.eventsListWithHttpInfo(null, types, 1);
    show("events_list", events, "first", events.getData().getData().get(0).getEvent());

    ApiResponse<WebhooksLogsReply> logs = new WebhooksApi(crm).webhooksLogsWithHttpInfo(
        WebhooksApi.APIWebhooksLogsRequest.newBuilder().id(webhook).build());
    show("webhooks_logs", logs, "hasRows", !logs.getData().getData().getLogs().isEmpty());
  }

  /** Shows refusals: their body has a type for each status. */
  private void beRefused() throws Exception {
    CustomersApi customers = new CustomersApi(crm);
    try {
      customers.customersCreate(new CreateCustomer().email("nobody"), null);
    } catch (ApiException refusal) {
      Error422 error = crm.getObjectMapper().readValue(refusal.getResponseBody(), Error422.class);
      String field = error.getDetails().get(0).getField();
      show("customers_create", refusal.getCode(), "code", error.getCode(), "field", field);
    }
    try {
      customers.customersGet("cus_00000000000000000000000000");
    } catch (ApiException refusal) {
      Error404 error = crm.getObjectMapper().readValue(refusal.getResponseBody(), Error404.class);
      show("customers_get", refusal.getCode(), "code", error.getCode());
    }
  }

  private static void show(String call, ApiResponse<?> response, Object... seen) throws IOException {
    show(call, response.getStatusCode(), seen);
  }

  private static void show(String call, int status, Object... seen) throws IOException {
    print("call", call, "status", status, "seen", mapOf(seen));
  }

  private static void print(Object... members) throws IOException {
    System.out.println(json.writeValueAsString(mapOf(members)));
  }

  private static Map<String, Object> mapOf(Object... members) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int index = 0; index < members.length; index += 2) map.put((String) members[index], members[index + 1]);
    return map;
  }
}
