"""The API from Python with nothing but its standard library: a customer, a conversation, and all open conversations."""

import json
import os
import urllib.error
import urllib.parse
import urllib.request
import uuid

BASE_URL = os.environ.get("CRM_BASE_URL", "http://127.0.0.1:3000")
API_KEY = os.environ["CRM_API_KEY"]


class CrmError(Exception):
    """A refusal: `code` is for programs, `request_id` finds the request in the log of the server."""

    def __init__(self, status, body):
        super().__init__(f"{body.get('error')} ({body.get('code')}, request {body.get('requestId')})")
        self.status, self.code, self.request_id = status, body.get("code"), body.get("requestId")


def call(method, path, body=None, query=None):
    url = f"{BASE_URL}{path}?{urllib.parse.urlencode(query or {})}"
    headers = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}
    if method == "POST":
        # Repeating the request with the same key has no second effect.
        headers["Idempotency-Key"] = str(uuid.uuid4())
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise CrmError(error.code, json.load(error)) from None


def rows(path, **query):
    """Every row of a list, page by page."""
    cursor = None
    while True:
        page = call("GET", path, query={**query, "limit": 100, "sort": "createdAt", **({"cursor": cursor} if cursor else {})})
        yield from page["data"]
        cursor = page["pagination"]["nextCursor"]
        if cursor is None:
            return


if __name__ == "__main__":
    customer = call("PUT", "/api/v1/customers/by-external-id/python/1", {"firstName": "Guido"})["data"]
    inbox = next(iter(call("GET", "/api/v1/inboxes")["data"]))
    call("POST", "/api/v1/conversations", {
        "subject": "Hello from Python",
        "inboxId": inbox["_id"],
        "customerId": customer["_id"],
        "message": {"content": "Does it work?", "direction": "inbound"},
    })
    for conversation in rows("/api/v1/conversations", status="open"):
        print(conversation["_id"], conversation["subject"])
    try:
        call("GET", "/api/v1/customers/cus_unknown")
    except CrmError as error:
        print(error.status, error.code)
