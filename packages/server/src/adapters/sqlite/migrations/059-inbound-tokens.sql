-- A mail that is posted names its inbox by a token, the current one or the one before it.
ALTER TABLE inboxes ADD COLUMN inbound_token TEXT;
ALTER TABLE inboxes ADD COLUMN previous_inbound_token TEXT;
CREATE UNIQUE INDEX inboxes_by_inbound_tokens ON inboxes (inbound_token);
CREATE UNIQUE INDEX inboxes_by_previous_inbound_tokens ON inboxes (previous_inbound_token);
