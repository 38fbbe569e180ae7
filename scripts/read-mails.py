"""Reads mails with the parser of Python, as a second reader beside that of the service: a line of JSON for each file."""

import email
import email.header
import email.utils
import hashlib
import json
import sys
from datetime import timezone


def decoded(value):
    try:
        return str(email.header.make_header(email.header.decode_header(value or "")))
    except Exception:
        return None


def addresses(message, name):
    values = [str(value) for value in message.get_all(name, [])]
    return sorted({address.lower() for _, address in email.utils.getaddresses(values) if "@" in address})


def date_of(message):
    try:
        date = email.utils.parsedate_to_datetime(str(message["date"]))
    except Exception:
        return None
    return int((date if date.tzinfo else date.replace(tzinfo=timezone.utc)).timestamp())


def parts(message):
    """Yields the parts that are texts or files; of alternatives, of which one is shown, no plain text."""
    if message.get_content_type() == "message/rfc822":
        return
    if not message.is_multipart():
        yield message
        return
    is_choice = message.get_content_type() == "multipart/alternative"
    has_html = any(part.get_content_type() != "text/plain" for part in message.get_payload())
    for part in message.get_payload():
        if not (is_choice and has_html and part.get_content_type() == "text/plain"):
            yield from parts(part)


def read(path):
    with open(path, "rb") as file:
        message = email.message_from_bytes(file.read())
    files, texts = [], []
    for part in parts(message):
        body = part.get_payload(decode=True) or b""
        is_text = part.get_content_maintype() == "text" and part.get_content_disposition() != "attachment"
        if is_text and part.get_filename() is None:
            if part.get_content_subtype() == "plain":
                charset = part.get_content_charset() or "utf-8"
                try:
                    texts.append(body.decode(charset))
                except (LookupError, UnicodeDecodeError):
                    texts.append(None)
        elif body:
            files.append(hashlib.sha256(body).hexdigest())
    return {
        "from": addresses(message, "from"),
        "to": addresses(message, "to"),
        "cc": addresses(message, "cc"),
        "subject": " ".join((decoded(message["subject"]) or "").split()) if message["subject"] else "",
        "date": date_of(message),
        "files": files,
        "texts": texts,
    }


for line in sys.stdin:
    path = json.loads(line)
    try:
        result = read(path)
    except Exception as error:
        result = {"error": type(error).__name__}
    print(json.dumps(result), flush=True)
