"""The signature of a webhook."""

import base64
import hashlib
import hmac
import time


def verify(secret, headers, body):
    """Returns whether the service signed this body within the last five minutes."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    is_recent = abs(time.time() - int(headers["webhook-timestamp"])) <= 300
    return is_recent and any(hmac.compare_digest(expected, one) for one in headers["webhook-signature"].split())
