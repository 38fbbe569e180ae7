export interface ReportFields {
  /** The recipient that the report is about. */
  recipient: string
  action?: string
  status?: string
  text?: string
  /** In the returned headers; without it the report returns none. */
  messageId?: string | undefined
  to?: string
}

/** Returns a report about the delivery of a mail (RFC 3464). */
export function deliveryReport({
  recipient,
  action = 'failed',
  status = '5.1.1',
  text = 'No such mailbox',
  messageId,
  to = 'help@acme.test',
}: ReportFields): string {
  const returned = messageId === undefined ? '' : `Message-ID: <${messageId}>\r\n`
  return [
    'From: Mail Delivery System <mailer-daemon@mx.example.com>',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="report"',
    '',
    '--report',
    'Content-Type: text/plain',
    '',
    `Your mail to ${recipient} has the state ${action}.`,
    '--report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.com',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${text}`,
    '',
    '--report',
    'Content-Type: text/rfc822-headers',
    '',
    `${returned}Subject: Broken lamp`,
    '',
    '--report--',
    '',
  ].join('\r\n')
}
