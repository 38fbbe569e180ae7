"""Reads mails with the parser of Python, as a second reader beside that of the service: a line of JSON for each file."""

import email
import email.header
import email.utils
import hashlib
import json
import re
import sys
from datetime import timezone


def in_bytes(value):
    """Returns a header as text: Python keeps bytes beyond ASCII as surrogates. All programs of today mean UTF-8."""
    raw = value.encode("ascii", "surrogateescape") if isinstance(value, str) else str(value).encode()
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def raw_values(message, name):
    return [in_bytes(value) for key, value in message.raw_items() if key.lower() == name]


def decoded(value):
    try:
        # Python puts a blank behind an encoded word where the mail has none.
        pieces = email.header.decode_header(value or "")
        texts = [piece if isinstance(piece, str) else piece.decode(charset or "ascii") for piece, charset in pieces]
        return "".join(texts)
    except Exception:
        return None


def addresses(message, name):
    values = raw_values(message, name)
    return sorted({address.lower() for _, address in email.utils.getaddresses(values) if re.fullmatch(r"[^\s@]+@[^\s@]+", address)})


def date_of(message):
    try:
        date = email.utils.parsedate_to_datetime(str(message["date"]))
    except Exception:
        return None
    return int((date if date.tzinfo else date.replace(tzinfo=timezone.utc)).timestamp())


def parts(message):
    """Yields the parts that are texts or files; of alternatives, of which one is shown, no plain text."""
    # A mail or a report within a mail is a file as a whole, and Python has only its pieces.
    if message.get_content_maintype() == "message":
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
        raw = file.read()
    message = email.message_from_bytes(raw if b"\n" in raw else raw.replace(b"\r", b"\n"))
    files, texts = [], []
    for part in parts(message):
        body = part.get_payload(decode=True) or b""
        # A multipart without parts is text, because nothing else can be known of it.
        is_text = part.get_content_maintype() in ("text", "multipart") and part.get_content_disposition() != "attachment"
        if is_text and part.get_filename() is None:
            if part.get_content_type() == "text/plain" or part.get_content_maintype() == "multipart":
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
        "subject": decoded((raw_values(message, "subject") or [""])[0]) or "",
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
