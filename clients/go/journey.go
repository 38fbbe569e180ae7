// The journey of ../journey.json with the generated client. Each call prints a line that `npm run clients` compares.
package main

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config generator.yml openapi.json

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"net"
	"net/http"
	"os"

	"crmkit-journey/crmkit"

	"github.com/oapi-codegen/nullable"
)

const file = "Note G, für Zoë\n"

var ctx = context.Background()

type seen = map[string]any

func show(call string, response interface{ StatusCode() int }, values seen) {
	print(map[string]any{"call": call, "status": response.StatusCode(), "seen": values})
}

func print(line any) {
	text, _ := json.Marshal(line)
	fmt.Println(string(text))
}

// must ends the journey where a request was not sent, or its response could not be read.
func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func newClient(token string) *crmkit.ClientWithResponses {
	authorize := func(_ context.Context, request *http.Request) error {
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	}
	return must(crmkit.NewClientWithResponses(os.Getenv("CRM_BASE_URL"), crmkit.WithRequestEditorFn(authorize)))
}

type delivery struct {
	header http.Header
	body   []byte
}

// listen returns the address of a receiver of webhooks, and what it receives.
func listen() (string, <-chan delivery) {
	received := make(chan delivery, 10)
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	go http.Serve(listener, http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		received <- delivery{request.Header, must(io.ReadAll(request.Body))}
	}))
	return "http://" + listener.Addr().String() + "/hook", received
}

func main() {
	url, received := listen()
	crm, inbox := signIn()

	webhook := must(crm.WebhooksCreateWithResponse(ctx, nil, crmkit.CreateWebhook{
		Name:   "Journey",
		Url:    url,
		Events: []crmkit.CreateWebhookEvents{crmkit.CreateWebhookEventsCustomerCreated},
	}))
	show("webhooks_create", webhook, seen{"isActive": webhook.JSON201.Data.IsActive})

	tested := must(crm.WebhooksTestWithResponse(ctx, webhook.JSON201.Data.UnderscoreId, nil))
	show("webhooks_test", tested, seen{"delivery": tested.JSON200.Data.Status})

	ada := workWithCustomers(crm)
	workWithConversations(crm, inbox, ada)

	// The event of the first customer, after the one of the test.
	var event delivery
	for !bytes.Contains(event.body, []byte(`"customer.created"`)) {
		event = <-received
	}
	readEvents(crm, webhook.JSON201.Data.UnderscoreId)
	beRefused(crm)

	secret := webhook.JSON201.Data.Secret
	print(map[string]any{
		"webhook":             "customer.created",
		"isSigned":            verify(secret, event.header, event.body),
		"isSignedWhenChanged": verify(secret, event.header, append(event.body, ' ')),
	})
}

// signIn lets a person make what the program needs: an inbox, and the key that the program works with from then on.
func signIn() (*crmkit.ClientWithResponses, string) {
	session := must(newClient("").AuthLoginWithResponse(ctx, crmkit.Login{
		Email:    os.Getenv("CRM_EMAIL"),
		Password: os.Getenv("CRM_PASSWORD"),
	}))
	show("auth_login", session, seen{"role": session.JSON200.Data.User.Role})
	person := newClient(session.JSON200.Data.AccessToken)

	tenant := must(person.TenantGetWithResponse(ctx))
	show("tenant_get", tenant, seen{"name": tenant.JSON200.Data.Name})

	inbox := must(person.InboxesCreateWithResponse(ctx, nil, crmkit.CreateInbox{
		Name:    "Support",
		Channel: nullable.NewNullableWithValue(crmkit.CreateConversationChannelChat),
	}))
	show("inboxes_create", inbox, seen{"channel": inbox.JSON201.Data.Channel})

	key := must(person.ApiKeysCreateWithResponse(ctx, nil, crmkit.CreateApiKey{
		Name: "Journey",
		Permissions: []crmkit.CreateApiKeyPermissions{
			crmkit.CreateApiKeyPermissionsReadCustomers,
			crmkit.CreateApiKeyPermissionsWriteCustomers,
			crmkit.CreateApiKeyPermissionsReadConversations,
			crmkit.CreateApiKeyPermissionsWriteConversations,
			crmkit.CreateApiKeyPermissionsWebhookManage,
		},
	}))
	show("apiKeys_create", key, seen{"permissions": len(key.JSON201.Data.Permissions)})
	return newClient(key.JSON201.Data.Key), inbox.JSON201.Data.UnderscoreId
}

func workWithCustomers(crm *crmkit.ClientWithResponses) string {
	created := must(crm.CustomersCreateWithResponse(ctx, nil, crmkit.CreateCustomer{
		FirstName:    nullable.NewNullableWithValue("Ada"),
		Email:        nullable.NewNullableWithValue("ada@example.com"),
		Company:      nullable.NewNullableWithValue("Engines"),
		Tier:         nullable.NewNullableWithValue(crmkit.CreateCustomerTierGold),
		CustomFields: nullable.NewNullableWithValue(map[string]crmkit.JsonValue{"plan": "scale"}),
	}))
	ada := created.JSON201.Data
	show("customers_create", created, seen{"tier": ada.Tier, "plan": ada.CustomFields["plan"]})

	got := must(crm.CustomersGetWithResponse(ctx, ada.UnderscoreId))
	show("customers_get", got, seen{"email": got.JSON200.Data.Profile.Email})

	// A field can be sent as null; one that is not named is not sent.
	updated := must(crm.CustomersUpdateWithResponse(ctx, ada.UnderscoreId, crmkit.UpdateCustomer{
		Company:  nullable.NewNullNullable[string](),
		JobTitle: nullable.NewNullableWithValue("Analyst"),
	}))
	show("customers_update", updated, seen{
		"company":  updated.JSON200.Data.Profile.Company,
		"jobTitle": updated.JSON200.Data.JobTitle,
	})

	stored := must(crm.CustomersPutByExternalIdWithResponse(ctx, "shop", "42", crmkit.UpdateCustomer{
		FirstName: nullable.NewNullableWithValue("Grace"),
		Email:     nullable.NewNullableWithValue("grace@example.com"),
	}))
	show("customers_putByExternalId", stored, seen{"externalId": stored.JSON200.Data.ExternalIds[0]})

	limit := 1
	params := crmkit.CustomersListParams{Limit: &limit}
	for range 2 {
		list := must(crm.CustomersListWithResponse(ctx, &params))
		cursor, err := list.JSON200.Pagination.NextCursor.Get()
		params.Cursor = &cursor
		show("customers_list", list, seen{
			"rows":    len(list.JSON200.Data),
			"total":   list.JSON200.Pagination.Total,
			"hasNext": err == nil,
		})
	}

	tagged := must(crm.CustomersAddTagsWithResponse(ctx, ada.UnderscoreId, nil, crmkit.CustomerTags{Tags: []string{"vip"}}))
	show("customers_addTags", tagged, seen{"tag": tagged.JSON200.Data.Tags[0]})

	note := must(crm.CustomerNotesCreateWithResponse(ctx, ada.UnderscoreId, nil, crmkit.CreateCustomerNote{Content: "Likes engines."}))
	show("customerNotes_create", note, seen{"content": note.JSON201.Data.Content})
	return ada.UnderscoreId
}

func workWithConversations(crm *crmkit.ClientWithResponses, inbox, ada string) {
	created := must(crm.ConversationsCreateWithResponse(ctx, nil, crmkit.CreateConversation{
		Subject:    "A question",
		InboxId:    inbox,
		CustomerId: nullable.NewNullableWithValue(ada),
		Priority:   nullable.NewNullableWithValue(crmkit.CreateConversationPriorityHigh),
	}))
	conversation := created.JSON201.Data
	show("conversations_create", created, seen{"status": conversation.Status, "priority": conversation.Priority})

	attachment := exchangeMessages(crm, conversation.UnderscoreId)
	bytes := must(crm.AttachmentsGetWithResponse(ctx, attachment))
	show("attachments_get", bytes, seen{"text": string(bytes.Body)})

	updated := must(crm.ConversationsUpdateWithResponse(ctx, conversation.UnderscoreId, crmkit.UpdateConversation{
		Status: nullable.NewNullableWithValue(crmkit.UpdateConversationStatusPending),
	}))
	show("conversations_update", updated, seen{"status": updated.JSON200.Data.Status})

	got := must(crm.ConversationsGetWithResponse(ctx, conversation.UnderscoreId, nil))
	customer := must(got.JSON200.Data.CustomerId.MustGet().AsCustomer())
	show("conversations_get", got, seen{"email": customer.Profile.Email})

	found := must(crm.SearchFindWithResponse(ctx, &crmkit.SearchFindParams{Q: "ada@example.com"}))
	show("search_find", found, seen{"customers": len(found.JSON200.Data.Customers.MustGet())})

	canned := must(crm.CannedRepliesCreateWithResponse(ctx, nil, crmkit.CreateCannedReply{
		Shortcut: "hello",
		Title:    "Hello",
		Content:  "Hello {{customer.firstName}}",
	}))
	show("cannedReplies_create", canned, seen{"shortcut": canned.JSON201.Data.Shortcut})

	rendered := must(crm.CannedRepliesRenderWithResponse(ctx, canned.JSON201.Data.UnderscoreId, nil, crmkit.RenderCannedReply{
		ConversationId: conversation.UnderscoreId,
	}))
	show("cannedReplies_render", rendered, seen{"content": rendered.JSON200.Data.Content})
}

// exchangeMessages returns the id of the attachment of its reply.
func exchangeMessages(crm *crmkit.ClientWithResponses, conversation string) string {
	question := must(crm.MessagesCreateWithResponse(ctx, conversation, nil, crmkit.CreateMessage{
		Content:   nullable.NewNullableWithValue("How do I begin?"),
		Direction: nullable.NewNullableWithValue(crmkit.CreateMessageDirectionInbound),
	}))
	show("messages_create", question, seen{"direction": question.JSON201.Data.Direction})

	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part := must(writer.CreateFormFile("file", "note.txt"))
	must(io.WriteString(part, file))
	writer.Close()
	uploaded := must(crm.AttachmentsCreateWithBodyWithResponse(ctx, nil, writer.FormDataContentType(), &form))
	attachment := uploaded.JSON201.Data
	show("attachments_create", uploaded, seen{"filename": attachment.Filename, "size": attachment.Size})

	// The same request again, as after a lost response: the service has the message already.
	reply := crmkit.CreateMessage{
		Content:         nullable.NewNullableWithValue("So."),
		Attachments:     nullable.NewNullableWithValue([]string{attachment.UnderscoreId}),
		ClientMessageId: nullable.NewNullableWithValue("journey-1"),
	}
	sent := must(crm.MessagesCreateWithResponse(ctx, conversation, nil, reply))
	message := sent.JSON201.Data
	show("messages_create", sent, seen{"direction": message.Direction, "attachments": len(message.Attachments)})
	again := must(crm.MessagesCreateWithResponse(ctx, conversation, nil, reply))
	show("messages_create", again, seen{"isTheSame": again.JSON200.Data.UnderscoreId == message.UnderscoreId})

	list := must(crm.MessagesListWithResponse(ctx, conversation, nil))
	show("messages_list", list, seen{"rows": len(list.JSON200.Data)})
	return attachment.UnderscoreId
}

func readEvents(crm *crmkit.ClientWithResponses, webhook string) {
	limit := 1
	types := []crmkit.CreateWebhookEvents{crmkit.CreateWebhookEventsCustomerCreated}
	events := must(crm.EventsListWithResponse(ctx, &crmkit.EventsListParams{Types: &types, Limit: &limit}))
	// The log may show an event shortly after its webhook.
	for len(events.JSON200.Data) == 0 {
		events = must(crm.EventsListWithResponse(ctx, &crmkit.EventsListParams{Types: &types, Limit: &limit}))
	}
	show("events_list", events, seen{"first": events.JSON200.Data[0].Event})

	logs := must(crm.WebhooksLogsWithResponse(ctx, webhook, nil))
	show("webhooks_logs", logs, seen{"hasRows": len(logs.JSON200.Data.Logs) > 0})
}

// beRefused shows that refusals have types too.
func beRefused(crm *crmkit.ClientWithResponses) {
	invalid := must(crm.CustomersCreateWithResponse(ctx, nil, crmkit.CreateCustomer{Email: nullable.NewNullableWithValue("nobody")}))
	show("customers_create", invalid, seen{"code": invalid.JSON422.Code, "field": (*invalid.JSON422.Details)[0].Field})

	absent := must(crm.CustomersGetWithResponse(ctx, "cus_00000000000000000000000000"))
	show("customers_get", absent, seen{"code": absent.JSON404.Code})
}
