import { createCustomer } from '@crmkit/core'
import { cleanLine, cleanLines, escapeJsonText } from '../../../cli/src/output/clean-text.ts'
import { textWidth } from '../../../cli/src/output/text-width.ts'
import { headersOfLines } from '../../../console/src/features/settings/header-lines.ts'
import { suggestedServer } from '../../../console/src/features/settings/inbox-mail-values.ts'
import {
  unknownValues,
  valuesOf as valuesOfText,
} from '../../../console/src/features/settings/text-values.ts'
import { addressesOf } from '../../../console/src/features/thread/addresses-of.ts'
import { format, formats } from '../../../console/src/features/thread/format.ts'
import { edited, mentionable, named, readable, replaced } from '../../../console/src/store/mentions.ts'
import { isDay } from '../../../core/src/analytics/date-range.ts'
import { environmentOfKey, isKeyText } from '../../../core/src/api-keys/api-key-text.ts'
import { safeFilename } from '../../../core/src/attachments/filename.ts'
import { blanksToNull } from '../../../core/src/contract/blank-values.ts'
import { parsePart, rightFields } from '../../../core/src/contract/problems.ts'
import { parseCustomerRow, parsePutRow } from '../../../core/src/customers/customer-rules.ts'
import { spfTerms } from '../../../core/src/inboxes/email-check.ts'
import { domainOf } from '../../../core/src/inboxes/inbox-email-rules.ts'
import { spfIncludeOf } from '../../../core/src/inboxes/mail-providers.ts'
import { filledSignature, unknownVariablesOf } from '../../../core/src/inboxes/signature.ts'
import {
  dateOrderProblems,
  mappingProblems,
  valueProblems,
} from '../../../core/src/integrations/header-mapping.ts'
import { mentionedIdsOf } from '../../../core/src/mentions/mention.ts'
import { replySubject } from '../../../core/src/messages/mail-recipients.ts'
import { previewOf } from '../../../core/src/messages/row-facts.ts'
import { readPackageLine } from '../../../core/src/package/package-lines.ts'
import { readManifest } from '../../../core/src/package/package-manifest.ts'
import { readPackagePath } from '../../../core/src/package/package-values.ts'
import { parseDuration } from '../../../core/src/shared/duration.ts'
import {
  asciiDomain,
  foldCase,
  foldEmail,
  foldLabel,
  normalizeEmail,
  splitEmail,
} from '../../../core/src/shared/fold.ts'
import { mergeLabels } from '../../../core/src/shared/labels.ts'
import { normalizeText } from '../../../core/src/shared/normalize.ts'
import { blankToNull, isEmail } from '../../../core/src/shared/text.ts'
import { fillVariables, unknownVariables } from '../../../core/src/shared/text-variables.ts'
import { fromBase64, fromHex, toBase64, toBytes, toHex } from '../../../core/src/signing/bytes.ts'
import { hmacSha256, isEqualConstantTime } from '../../../core/src/signing/hmac.node.ts'
import * as web from '../../../core/src/signing/hmac.web.ts'
import {
  isStandardWebhookSignature,
  signStandardWebhook,
} from '../../../core/src/signing/standard-webhooks.ts'
import { isWebhookBodySignature, signWebhookBody } from '../../../core/src/signing/webhook-signature.ts'
import { isPhoneNumber } from '../../../core/src/telephony/phone-number.ts'
import {
  maskedHeaders,
  unmaskedHeaders,
  webhookHeaderProblems,
} from '../../../core/src/webhooks/webhook-headers.ts'
import { splitName } from '../../../core/src/widget/widget-rules.ts'
import { apiErrorOf, parseJson, unreadableResponse } from '../../../sdk/src/core/api-error-of.ts'
import { formBody } from '../../../sdk/src/core/form-body.ts'
import { readMessages } from '../../../sdk/src/core/read-messages.ts'
import { fillPath, parseBaseUrl } from '../../../sdk/src/core/request-url.ts'
import { collectBody } from '../../../sdk/src/webhooks/handlers/read-raw-body.ts'
import { headerOf } from '../../../sdk/src/webhooks/webhook-input.ts'
import { hrefOf, linkify } from '../../../widget/src/browser/frame/linkify.ts'
import { readMarkdown } from '../../../widget/src/browser/frame/markdown.ts'
import { pictureTypeOf } from '../../../widget/src/browser/frame/picture-type.ts'
import { EventParser } from '../../../widget/src/browser/frame/sse.ts'
import { subjectOf } from '../../../widget/src/browser/frame/token.ts'
import { readableOn } from '../../../widget/src/browser/shared/colors.ts'
import { fill } from '../../../widget/src/browser/shared/strings.ts'
import { describeImapFailure } from '../../src/adapters/imap/describe-imap-failure.ts'
import { cluesOf, gramsOf } from '../../src/adapters/mongo/search/grams.ts'
import { indexedText, parseTerms, quote } from '../../src/adapters/sqlite/search/search-query.ts'
import { cleanCustomFields, cleanText } from '../../src/connectors/clean-text.ts'
import { foldWord, givenWords, meaningOf } from '../../src/connectors/files/choice-words.ts'
import { emailColumnsOf } from '../../src/connectors/files/column-values.ts'
import { csvRows } from '../../src/connectors/files/csv-rows.ts'
import { csvShapeOf } from '../../src/connectors/files/csv-shape.ts'
import { describeColumns } from '../../src/connectors/files/describe-columns.ts'
import { encodingByLetters, wideEncodingOf } from '../../src/connectors/files/detect-encoding.ts'
import { digestOfErased, namesErased } from '../../src/connectors/files/erased-cells.ts'
import { readRows } from '../../src/connectors/files/file-rows.ts'
import { foreignFormatOf } from '../../src/connectors/files/foreign-format.ts'
import { jsonArrayRows, ndjsonRows } from '../../src/connectors/files/json-rows.ts'
import { monthOf } from '../../src/connectors/files/month-names.ts'
import {
  isEitherOrder,
  isEpoch,
  orderOfNumbers,
  parseMoment,
} from '../../src/connectors/files/parse-moment.ts'
import { parseObject } from '../../src/connectors/files/parse-object.ts'
import { encodingOf, withoutLines } from '../../src/connectors/files/read-text.ts'
import { digestOf } from '../../src/connectors/files/row-digests.ts'
import { rawRows } from '../../src/connectors/files/sheet-rows.ts'
import { numberFormatOf, textOfNumber } from '../../src/connectors/files/sheet-values.ts'
import { outsideOf, sniffFile } from '../../src/connectors/files/sniff-file.ts'
import { idColumnsOf, mappingOf, moduleOfIds } from '../../src/connectors/files/suggest-mapping.ts'
import { uniqueNames } from '../../src/connectors/files/unique-names.ts'
import { decodeProperty, valuesOf } from '../../src/connectors/files/vcard-property.ts'
import { vcardRows } from '../../src/connectors/files/vcard-rows.ts'
import { isZip } from '../../src/connectors/files/zip-file.ts'
import { tableOfModule } from '../../src/connectors/files/zipped-tables.ts'
import { safeHtml } from '../../src/features/conversations/message-content.ts'
import { makeSnippet } from '../../src/features/search/make-snippet.ts'
import { parseSearch } from '../../src/features/search/parse-search.ts'
import { clientOf } from '../../src/features/telephony/client-name.ts'
import { addressWrite, hasRepliedFrom } from '../../src/features/widget/visitor-mail.ts'
import { sniffContentType } from '../../src/http/request/sniff-content-type.ts'
import { preparedReply } from '../../src/imports/package/prepared-reply.ts'
import { readPackageLines } from '../../src/imports/package/read-package-lines.ts'
import { matchEmail, tailOf } from '../../src/imports/rules/match-customers.ts'
import { isKeptHere, isSameValue } from '../../src/imports/rules/three-way.ts'
import { readEventsToken, readRef, readTag } from '../../src/mail/addresses/mail-tags.ts'
import { asRemoteId, remoteIdIn } from '../../src/mail/addresses/remote-ids.ts'
import { isSampleAddress } from '../../src/mail/addresses/sample-addresses.ts'
import { hashMail } from '../../src/mail/in/hash/hash-mail.ts'
import { bodyStartOf, mailIdentity, senderOfPieces } from '../../src/mail/in/mail-identity.ts'
import { eventsOfBody, readEvent } from '../../src/mail/in/provider-events.ts'
import { returnPath } from '../../src/mail/in/smtp-door/trace-header.ts'
import { readSnsMessage } from '../../src/mail/in/sns-message.ts'
import { verifiedSender } from '../../src/mail/in/verified-sender.ts'
import { parseFileLink } from '../../src/mail/out/file-links.ts'
import { escapeMarkdown, markdownHtml } from '../../src/mail/out/markdown-html.ts'
import { addressMark, parseStopLink } from '../../src/mail/out/stop-link.ts'
import {
  receivingServerOf,
  serverOfResults,
  withoutComments,
} from '../../src/mail/parse/authentication-results.ts'
import { decodeCodePage } from '../../src/mail/parse/code-pages.ts'
import { takeDataImages } from '../../src/mail/parse/data-images.ts'
import { decodeText } from '../../src/mail/parse/decode-text.ts'
import { withoutDeepTags } from '../../src/mail/parse/deep-tags.ts'
import { decodeWords, recodeWords } from '../../src/mail/parse/encoded-words.ts'
import { decodeHz, decodeIso2022Kr, decodeUtf7 } from '../../src/mail/parse/escaped-charsets.ts'
import { readForward } from '../../src/mail/parse/forwarded-mail.ts'
import { lengthOfHeaders, readHeaders } from '../../src/mail/parse/header-block.ts'
import { withoutHidden } from '../../src/mail/parse/hidden-elements.ts'
import { isFileUrl, withStoredImages } from '../../src/mail/parse/inline-images.ts'
import { placesIn } from '../../src/mail/parse/known-words.ts'
import { isAddress, readAddresses } from '../../src/mail/parse/mail-addresses.ts'
import { MailRefused } from '../../src/mail/parse/mail-refused.ts'
import { timeOfMail } from '../../src/mail/parse/mail-time.ts'
import { readTree } from '../../src/mail/parse/mail-tree.ts'
import { messageIds } from '../../src/mail/parse/message-ids.ts'
import { plainMailboxes } from '../../src/mail/parse/plain-mailboxes.ts'
import { findQuotations, quotedEnd } from '../../src/mail/parse/quotations.ts'
import { readMail } from '../../src/mail/parse/read-mail.ts'
import { safeMailHtml } from '../../src/mail/parse/safe-mail-html.ts'
import { readLines, weightOf, wordsOf, wordsWithoutTargets } from '../../src/mail/parse/text-lines.ts'
import { decodeBody } from '../../src/mail/parse/transfer-encodings.ts'
import { decodeWindows949 } from '../../src/mail/parse/windows-949.ts'
import { readFrames } from '../../src/mail/parser-process/frames.ts'
import { unwrapMail } from '../../src/mail/parser-process/unwrap-mail.ts'
import { verifyUserToken } from '../../src/security/user-token.ts'
import {
  addressGroup,
  customerOf,
  isAddressIn,
  parseBlock,
  privateAddressMark,
} from '../../src/shared/address-block.ts'
import { bytesNameOf } from '../../src/shared/bytes-name.ts'
import { csvLine } from '../../src/shared/csv-line.ts'
import { escapeHtml } from '../../src/shared/escape-html.ts'
import { secretHashOf } from '../../src/shared/identity-secrets.ts'
import { inboundTokenHash } from '../../src/shared/inbound-token.ts'
import { readLedgerLine } from '../../src/shared/ledger-line.ts'
import { peopleOfPhone, readPhone } from '../../src/shared/people-of-phone.ts'
import { comparablePhone, toE164, writtenForms } from '../../src/shared/phone-numbers.ts'
import { withPlainMailto } from '../../src/shared/plain-mailto.ts'
import { plainTextOf } from '../../src/shared/plain-text.ts'
import { isSendgridKey } from '../../src/shared/sendgrid-key.ts'
import { judgeSpf, spfRecordOf } from '../../src/shared/spf.ts'
import { InvalidSpf, readSpfTerms, withSpfTerm } from '../../src/shared/spf-terms.ts'
import { pageWrites, shownPage } from '../../src/shared/widget-page.ts'
import { readXml, textsOf } from '../../src/shared/xml-parser.ts'
import { companyLabel } from '../../src/storage/company-label.ts'
import { decodeCursor, isMomentValue } from '../../src/storage/cursor.ts'
import { InvalidCursor } from '../../src/storage/errors.ts'
import { decodeEventPosition } from '../../src/storage/event-position.ts'
import type { InboxRecord } from '../../src/storage/kinds/inboxes.ts'
import { emailForms } from '../../src/storage/rules/email-forms.ts'
import { erasedBody, isErasedBody } from '../../src/storage/rules/erased.ts'
import {
  matchesText,
  placesOf,
  plainSearchText,
  searchTerms,
  wordStarts,
} from '../../src/storage/search-text.ts'
import { lastNameKey, phoneTail } from '../../src/storage/sort-keys.ts'
import type { ForeignText } from './linear-cost.ts'

// Each function that reads the text of a stranger, by its place, as `text-readers.ts` finds it.

const bytes = (text: string) => Buffer.from(text)
const body = createCustomer.request.body
/** A text that is no XML ends in any error, which its caller turns into one sentence. */
const damaged =
  (read: ForeignText): ForeignText =>
  async (text) => {
    try {
      return await read(text)
    } catch {
      return undefined
    }
  }

/** A text that the service cannot read is refused, at the same cost. */
const refused =
  (read: ForeignText): ForeignText =>
  async (text) => {
    try {
      return await read(text)
    } catch (error) {
      if (error instanceof MailRefused || error instanceof InvalidCursor || error instanceof URIError)
        return undefined
      if (error instanceof Error && /Failure|CrmError|TypeError/.test(error.constructor.name))
        return undefined
      throw error
    }
  }

const chunkBytes = 16 * 1024
async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  const all = bytes(text)
  for (let at = 0; at < all.length; at += chunkBytes) yield all.subarray(at, at + chunkBytes)
}
async function drain(rows: AsyncIterable<unknown>): Promise<number> {
  let count = 0
  for await (const _ of rows) count += 1
  return count
}

const core: Readonly<Record<string, ForeignText>> = {
  'core/api-keys/api-key-text#environmentOfKey': environmentOfKey,
  'core/api-keys/api-key-text#isKeyText': isKeyText,
  'core/attachments/filename#safeFilename': safeFilename,
  'core/contract/blank-values#blanksToNull': (text) => blanksToNull(body, { lastName: text }),
  'core/contract/problems#parsePart': (text) => parsePart(body, { lastName: text, email: text }, 'body'),
  'core/contract/problems#rightFields': (text) => rightFields(body, { lastName: text, phone: text }),
  'core/customers/customer-rules#parseCustomerRow': (text) => parseCustomerRow({ lastName: text }),
  'core/customers/customer-rules#parsePutRow': refused((text) =>
    parsePutRow({ source: 'source', id: '1', lastName: text }),
  ),
  'core/inboxes/inbox-email-rules#domainOf': domainOf,
  'core/inboxes/signature#filledSignature': (text) =>
    filledSignature(
      text,
      { 'agent.firstName': text, 'agent.lastName': null, 'inbox.name': null },
      escapeMarkdown,
    ),
  'core/inboxes/signature#unknownVariablesOf': (text) => unknownVariablesOf(`{{${text.slice(1)}`),
  'core/shared/text-variables#fillVariables': (text) =>
    fillVariables(`{{name}}{{${text.slice(8)}`, { name: text }, escapeMarkdown).text,
  'core/shared/text-variables#unknownVariables': (text) => unknownVariables(`{{${text.slice(1)}`, []),
  'core/integrations/header-mapping#valueProblems': (text) =>
    valueProblems({ Cases: { status: { [text]: text } } }),
  'core/integrations/header-mapping#dateOrderProblems': (text) => dateOrderProblems({ [text]: null }),
  'core/integrations/header-mapping#mappingProblems': (text) =>
    mappingProblems({ Contacts: { [text]: 'email' } }),
  'core/mentions/mention#mentionedIdsOf': (text) => mentionedIdsOf(`@[usr_${text}]`),
  'core/messages/mail-recipients#replySubject': replySubject,
  'the preview of a message': (text) =>
    (['text', 'markdown', 'html'] as const).map((contentType) =>
      previewOf({ content: text, contentType, email: null }),
    ),
  'core/shared/duration#parseDuration': refused(parseDuration),
  'core/shared/fold#asciiDomain': asciiDomain,
  'core/shared/fold#foldCase': foldCase,
  'core/shared/fold#foldEmail': foldEmail,
  'core/shared/fold#foldLabel': foldLabel,
  'core/shared/fold#normalizeEmail': (text) => [normalizeEmail(text), normalizeEmail(`a@${text}`)],
  'core/shared/fold#splitEmail': splitEmail,
  'core/shared/labels#mergeLabels': (text) => mergeLabels(text.split(' ')),
  'core/shared/normalize#normalizeText': (text) => [normalizeText(text, 'NFC'), normalizeText(text, 'NFKD')],
  'core/shared/text#blankToNull': blankToNull,
  'core/shared/text#isEmail': isEmail,
  'core/signing/bytes#fromBase64': fromBase64,
  'core/signing/bytes#fromHex': fromHex,
  'core/signing/bytes#toBase64': (text) => toBase64(bytes(text)),
  'core/signing/bytes#toBytes': toBytes,
  'core/signing/bytes#toHex': (text) => toHex(bytes(text)),
  'core/signing/hmac.node#hmacSha256': (text) => hmacSha256(bytes('key'), bytes(text)),
  'core/signing/hmac.node#isEqualConstantTime': (text) => isEqualConstantTime(bytes(text), bytes(text)),
  'core/signing/hmac.web#hmacSha256': (text) => web.hmacSha256(bytes('key'), bytes(text)),
  'core/package/package-lines#readPackageLine': (text) =>
    readPackageLine('people', JSON.stringify({ id: '1', name: text, [text]: [{ [text]: text }] })),
  'core/package/package-manifest#readManifest': (text) =>
    readManifest(JSON.stringify({ version: text, [text]: text })),
  'core/package/package-values#readPackagePath': readPackagePath,
  'core/signing/hmac.web#isEqualConstantTime': (text) => web.isEqualConstantTime(bytes(text), bytes(text)),
  'core/signing/standard-webhooks#isStandardWebhookSignature': (text) =>
    isStandardWebhookSignature(`v1,${text}`, { id: '1', timestamp: 1, body: text, secret: 'whsec_a2V5' }),
  'core/signing/standard-webhooks#signStandardWebhook': (text) =>
    signStandardWebhook({ id: '1', timestamp: 1, body: text }, 'whsec_a2V5'),
  'core/signing/webhook-signature#isWebhookBodySignature': (text) =>
    isWebhookBodySignature(`sha256=${text}`, { body: text, secret: 'key' }),
  'core/signing/webhook-signature#signWebhookBody': (text) => signWebhookBody(text, 'key'),
  'core/telephony/phone-number#isPhoneNumber': isPhoneNumber,
  'core/webhooks/webhook-headers#maskedHeaders': (text) => maskedHeaders({ [text]: text }),
  'core/webhooks/webhook-headers#unmaskedHeaders': (text) =>
    unmaskedHeaders({ [text]: text }, { stored: { [text]: text }, isMoved: false }),
  'core/webhooks/webhook-headers#webhookHeaderProblems': (text) => webhookHeaderProblems({ [text]: text }),
  'core/analytics/date-range#isDay': isDay,
  'core/widget/widget-rules#splitName': splitName,
}

const response = new Response(null, { status: 500 })
const colleagues = [{ _id: 'usr_2', firstName: 'Ben', lastName: 'Fry', isActive: true }] as never
const clients: Readonly<Record<string, ForeignText>> = {
  'cli/output/clean-text#cleanLine': cleanLine,
  'cli/output/clean-text#cleanLines': cleanLines,
  'cli/output/clean-text#escapeJsonText': escapeJsonText,
  'cli/output/text-width#textWidth': textWidth,
  'console/features/settings/header-lines#headersOfLines': headersOfLines,
  'console/features/settings/inbox-mail-values#suggestedServer': (address) =>
    suggestedServer(
      { host: '', port: 993, security: 'tls', user: '', password: '' },
      { name: 'imap', address },
    ),
  'console/features/settings/text-values#unknownValues': (text) => unknownValues('{name}', text),
  'console/features/settings/text-values#valuesOf': valuesOfText,
  'console/features/thread/addresses-of#addressesOf': addressesOf,
  'console/features/thread/format#format': (text) =>
    formats.map((kind) => format(text, { from: 0, to: text.length }, kind)),
  'console/store/mentions#edited': (text) => edited({ text, places: [] }, `a${text}b`, 0),
  'console/store/mentions#mentionable': (text) => mentionable(colleagues, 'usr_1', text),
  'console/store/mentions#named': (text) => named(text, colleagues),
  'console/store/mentions#readable': (text) => readable({ type: 'note', content: text }, colleagues),
  'console/store/mentions#replaced': (text) => replaced({ text, places: [] }, 0, text.length, text),
  'sdk/core/api-error-of#apiErrorOf': (text) => apiErrorOf(response, text),
  'sdk/core/api-error-of#parseJson': parseJson,
  'sdk/core/api-error-of#unreadableResponse': (text) => unreadableResponse(response, text),
  'sdk/core/form-body#formBody': (text) => formBody(new Blob([]), text, { name: text }),
  'sdk/core/read-messages#readMessages': (text) => drain(readMessages(ReadableStream.from(chunksOf(text)))),
  'sdk/core/request-url#fillPath': refused((text) => fillPath('/{id}', [text])),
  'sdk/core/request-url#parseBaseUrl': refused((text) => parseBaseUrl(`https://a.test/${text}`)),
  'sdk/webhooks/handlers/read-raw-body#collectBody': (text) => collectBody(chunksOf(text)),
  'sdk/webhooks/webhook-input#headerOf': (text) => headerOf({ [text]: text }, 'webhook-id'),
  'widget/browser/frame/linkify#hrefOf': hrefOf,
  'widget/browser/frame/linkify#linkify': linkify,
  'widget/browser/frame/markdown#readMarkdown': readMarkdown,
  'widget/browser/frame/picture-type#pictureTypeOf': (text) => pictureTypeOf(new TextEncoder().encode(text)),
  'widget/browser/frame/token#subjectOf': (text) => subjectOf(`a.${text}.b`),
  'widget/browser/shared/colors#readableOn': readableOn,
  'widget/browser/shared/strings#fill': (text) => fill(text, { name: text }),
  'events of the widget': (text) => {
    const parser = new EventParser()
    for (let at = 0; at < text.length; at += chunkBytes) parser.push(text.slice(at, at + chunkBytes))
  },
}

const rules = { list: 'a', isValue: isMomentValue }
const server: Readonly<Record<string, ForeignText>> = {
  'server/imports/package/plan-package-others#planReply': (text) =>
    preparedReply({ id: '1', title: text, content: text, contentType: 'html', shortcut: text }),
  'server/imports/package/read-package-lines#readPackageLines': (text) =>
    drain(readPackageLines(chunksOf(text))),
  'server/adapters/imap/describe-imap-failure#describeImapFailure': (text) =>
    describeImapFailure(
      Object.assign(new Error(text), { response: text, responseText: text, responseStatus: 'NO' }),
      { host: 'imap.test', port: 993, folder: 'INBOX' } as never,
      'read',
    ),
  'server/adapters/mongo/search/grams#cluesOf': (text) => cluesOf(text, 3),
  'server/adapters/mongo/search/grams#gramsOf': gramsOf,
  'server/adapters/sqlite/search/search-query#indexedText': indexedText,
  'server/adapters/sqlite/search/search-query#parseTerms': (text) => parseTerms(JSON.stringify([text])),
  'server/adapters/sqlite/search/search-query#quote': quote,
  'server/connectors/clean-text#cleanCustomFields': (text) => cleanCustomFields({ [text]: text }),
  'server/connectors/clean-text#cleanText': (text) => cleanText(text, { lengthMax: 65_536, hasLines: true }),
  'server/connectors/files/choice-words#foldWord': foldWord,
  'server/connectors/files/choice-words#givenWords': (text) => givenWords({ status: { [text]: text } }),
  'server/connectors/files/choice-words#meaningOf': (text) => meaningOf('status', text),
  'server/connectors/files/column-values#emailColumnsOf': (text) => emailColumnsOf(['a'], [[text]]),
  'server/connectors/files/csv-rows#csvRows': (text) => drain(csvRows(chunksOf(text), { delimiter: ',' })),
  'server/connectors/files/csv-shape#csvShapeOf': (text) => csvShapeOf(text, {}),
  'server/connectors/files/detect-encoding#encodingByLetters': (text) => [
    encodingByLetters(bytes(text)),
    encodingByLetters(Buffer.from(text, 'latin1')),
  ],
  'server/connectors/files/detect-encoding#wideEncodingOf': (text) => wideEncodingOf(bytes(text)),
  'server/connectors/files/erased-cells#digestOfErased': (text) => digestOfErased({ _id: 'att_1' }, text),
  'server/connectors/files/erased-cells#namesErased': (text) =>
    namesErased([text], { _id: 'att_1', erased: ['a digest'] }),
  'server/connectors/files/row-digests#digestOf': digestOf,
  'server/connectors/files/foreign-format#foreignFormatOf': (text) => [
    foreignFormatOf(bytes(text)),
    foreignFormatOf(bytes(`PK\u0003\u0004${text}`)),
  ],
  'server/connectors/files/month-names#monthOf': monthOf,
  'server/connectors/files/parse-moment#isEitherOrder': isEitherOrder,
  'server/connectors/files/parse-moment#isEpoch': isEpoch,
  'server/connectors/files/parse-moment#orderOfNumbers': orderOfNumbers,
  'server/connectors/files/read-text#withoutLines': (text) => drain(withoutLines(chunksOf(text), 50)),
  'server/connectors/files/describe-columns#describeColumns': (text) =>
    describeColumns({ module: 'Cases', headers: ['Status', text] }, [[text, text]], {}),
  'server/connectors/files/file-rows#readRows': (text) =>
    drain(readRows({ format: 'csv', delimiter: ',', headerRow: 1 }, chunksOf(text))),
  'server/connectors/files/json-rows#jsonArrayRows': (text) => drain(jsonArrayRows(chunksOf(`[${text}]`))),
  'server/connectors/files/json-rows#ndjsonRows': (text) => drain(ndjsonRows(chunksOf(text))),
  'server/connectors/files/parse-moment#parseMoment': (text) =>
    parseMoment(text, { timeZone: 'Europe/Berlin', dateOrder: 'dmy' } as never),
  'server/connectors/files/parse-object#parseObject': parseObject,
  'server/connectors/files/read-text#encodingOf': (text) => encodingOf(bytes(text), true),
  'server/connectors/files/sheet-rows#rawRows': damaged(async (text) => {
    const sheet = (cell: string) => `<sheetData><row><c t="str"><v>${cell}</v></c></row></sheetData>`
    await drain(rawRows(chunksOf(sheet(`<![CDATA[${text}]]>`)), { formats: [], is1904: false }))
    await drain(rawRows(chunksOf(sheet(text)), { formats: [], is1904: false }))
  }),
  'server/connectors/files/sheet-values#numberFormatOf': (text) => numberFormatOf(164, text),
  'server/connectors/files/sheet-values#textOfNumber': (text) => [
    textOfNumber(text, { kind: 'plain' }),
    textOfNumber(text, numberFormatOf(164, '000-00')),
    textOfNumber(text, numberFormatOf(14)),
  ],
  'server/connectors/files/sniff-file#outsideOf': (text) => outsideOf([[1, text]]),
  'server/connectors/files/suggest-mapping#idColumnsOf': (text) => idColumnsOf('Contacts', [text]),
  'server/shared/widget-page#pageWrites': (text) =>
    pageWrites({ _id: 'inb_1' } as InboxRecord, { origin: text, now: '2026-11-28T12:00:00.000Z' }),
  'server/shared/widget-page#shownPage': (text) => shownPage(`2026-11-28T12:00:00.000Z ${text}`),
  'server/shared/xml-parser#readXml': damaged((text) => readXml(chunksOf(text), {})),
  'server/shared/xml-parser#textsOf': (text) => drain(textsOf(chunksOf(text))),
  'server/connectors/files/zipped-tables#tableOfModule': (text) => tableOfModule([text, text], 'Contacts'),
  'server/connectors/files/zip-file#isZip': (text) => isZip(bytes(text)),
  'server/mail/addresses/sample-addresses#isSampleAddress': isSampleAddress,
  'server/connectors/files/sniff-file#sniffFile': refused((text) =>
    sniffFile(bytes(text), { filename: 'a.csv', isWhole: true }),
  ),
  'the headers of a file': (text) => mappingOf('Contacts', { headers: [text], emailColumns: [text] }),
  'server/connectors/files/suggest-mapping#moduleOfIds': moduleOfIds,
  'server/connectors/files/unique-names#uniqueNames': (text) => uniqueNames(text.split(',').slice(0, 1_000)),
  'server/connectors/files/vcard-property#decodeProperty': (text) => [
    decodeProperty(text),
    decodeProperty(`NOTE;ENCODING=QUOTED-PRINTABLE:${text}`),
  ],
  'server/connectors/files/vcard-property#valuesOf': (text) => valuesOf(text, ';'),
  'server/connectors/files/vcard-rows#vcardRows': (text) =>
    drain(vcardRows(chunksOf(`BEGIN:VCARD\r\nNOTE:${text}\r\nEND:VCARD\r\n`))),
  'server/features/conversations/message-content#safeHtml': refused((text) => safeHtml(text, 'content')),
  'server/features/telephony/client-name#clientOf': clientOf,
  'server/http/request/sniff-content-type#sniffContentType': (text) =>
    sniffContentType(bytes(text).subarray(0, 4_100), { declared: text, isWhole: false }),
  'server/imports/rules/match-customers#matchEmail': matchEmail,
  'server/imports/rules/match-customers#tailOf': tailOf,
  'server/shared/people-of-phone#peopleOfPhone': (text) =>
    peopleOfPhone(
      {
        customers: { listByContact: async () => [{ profile: { phone: text } }] },
        customerAddresses: { listByAddress: async () => [{ address: text }] },
        phones: async () => ({ country: 'DE', numbers: [] }),
      } as never,
      text,
    ),
  'server/shared/people-of-phone#readPhone': (text) =>
    readPhone({ phones: async () => undefined } as never, text),
  'server/shared/phone-numbers#comparablePhone': (text) => [
    comparablePhone(text, 'DE'),
    comparablePhone(text, null),
  ],
  'server/shared/phone-numbers#writtenForms': writtenForms,
  'server/shared/phone-numbers#toE164': (text) => [toE164(text, 'DE'), toE164(`+${text}`, null)],
  'server/imports/rules/three-way#isKeptHere': (text) => isKeptHere({ source: text }, `${text}x`),
  'server/imports/rules/three-way#isSameValue': (text) => isSameValue({ a: text }, { a: `${text}` }),
  'server/security/user-token#verifyUserToken': (text) =>
    verifyUserToken(`${text}.${text}.${text}`, { secrets: ['a'], nowMs: 0 }),
  'core/inboxes/email-check#spfTerms': spfTerms,
  'core/inboxes/mail-providers#spfIncludeOf': spfIncludeOf,
  'server/shared/address-block#addressGroup': addressGroup,
  'server/shared/address-block#customerOf': customerOf,
  'server/shared/address-block#isAddressIn': (text) => isAddressIn(text, ['10.0.0.0/8']),
  'server/shared/address-block#parseBlock': parseBlock,
  'server/shared/address-block#privateAddressMark': privateAddressMark,
  'server/shared/csv-line#csvLine': (text) => csvLine([text]),
  'server/shared/escape-html#escapeHtml': escapeHtml,
  'server/shared/identity-secrets#secretHashOf': secretHashOf,
  'server/shared/inbound-token#inboundTokenHash': inboundTokenHash,
  'server/shared/ledger-line#readLedgerLine': readLedgerLine,
  'server/shared/plain-mailto#withPlainMailto': (text) => withPlainMailto({ href: `mailto:${text}` }),
  // It gets HTML that is stored, whose depth is bounded.
  'server/shared/plain-text#plainTextOf': refused((text) => plainTextOf(safeHtml(text, 'content'))),
  'server/storage/cursor#decodeCursor': refused((text) => decodeCursor(text, rules as never)),
  'server/storage/cursor#isMomentValue': isMomentValue,
  'server/storage/event-position#decodeEventPosition': refused(decodeEventPosition),
  'server/storage/rules/email-forms#emailForms': (text) => emailForms(`${text}@a.test`),
  'server/storage/rules/erased#erasedBody': (text) => erasedBody(JSON.stringify({ data: { _id: text } })),
  'server/storage/rules/erased#isErasedBody': (text) => isErasedBody(JSON.stringify({ data: { _id: text } })),
  'server/features/search/make-snippet#makeSnippet': (text) => [
    makeSnippet(text, searchTerms('ab c')),
    makeSnippet(text, searchTerms(text.slice(0, 3))),
    makeSnippet(`ab${text}`, searchTerms('ab')),
  ],
  'server/features/search/parse-search#parseSearch': (text) => [
    parseSearch(text),
    parseSearch(`label:"${text}`),
    parseSearch(`is:${text}`),
  ],
  'server/storage/search-text#placesOf': (text) => [
    ...placesOf(text, { text: text.slice(0, 2), length: 2, digits: null }),
  ],
  'server/storage/search-text#matchesText': (text) => matchesText(text, searchTerms('ab c')),
  'server/storage/search-text#plainSearchText': plainSearchText,
  'server/storage/search-text#searchTerms': searchTerms,
  'server/storage/search-text#wordStarts': wordStarts,
  'server/storage/sort-keys#lastNameKey': lastNameKey,
  'server/storage/company-label#companyLabel': companyLabel,
  'server/storage/sort-keys#phoneTail': phoneTail,
}

const mail = (raw: string) => readMail(bytes(raw))
const bodyOf = (type: string) =>
  refused((text) => mail(`From: a@b.test\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${text}\r\n`))
const encodedBy = (encoding: string) =>
  refused((text) => mail(`From: a@b.test\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${text}\r\n`))
const header = (name: string) =>
  refused((text) => mail(`${name}: ${text.replace(/\s+/g, ' ')}\r\n\r\nHello\r\n`))
const partOf = (head: string, text: string) =>
  mail(
    `From: a@b.test\r\nContent-Type: multipart/report; boundary=b\r\n\r\n--b\r\n${head}\r\n\r\n${text}\r\n--b--\r\n`,
  )
const withoutQuotes = (text: string) => text.replace(/[\s"]+/g, ' ')

export const mailReaders: Readonly<Record<string, ForeignText>> = {
  'server/mail/addresses/mail-tags#readTag': readTag,
  'server/mail/addresses/mail-tags#readEventsToken': readEventsToken,
  'server/mail/addresses/mail-tags#readRef': readRef,
  'server/mail/addresses/remote-ids#asRemoteId': asRemoteId,
  'server/mail/addresses/remote-ids#remoteIdIn': remoteIdIn,
  'server/mail/in/sns-message#readSnsMessage': (text) =>
    readSnsMessage({ Type: 'Notification', TopicArn: text, Message: text, Subject: text }),
  'server/shared/sendgrid-key#isSendgridKey': isSendgridKey,
  'server/shared/spf#judgeSpf': (text) => {
    const noRecords = { find: async () => [] }
    const need = { addresses: ['192.0.2.7'] }
    return judgeSpf(noRecords, { domain: 'a.example', published: [text, `v=spf1 ${text}`], need })
  },
  'server/shared/spf#spfRecordOf': (text) => spfRecordOf([text, `v=spf1 ${text}`]),
  'server/shared/spf-terms#readSpfTerms': (text) => {
    try {
      readSpfTerms(`v=spf1 ${text}`)
    } catch (error) {
      if (!(error instanceof InvalidSpf)) throw error
    }
  },
  'server/shared/spf-terms#withSpfTerm': (text) => withSpfTerm(`v=spf1 ${text}`, text),
  'server/mail/in/provider-events#eventsOfBody': (text) => eventsOfBody({ RecordType: text }),
  'server/mail/in/provider-events#readEvent': (text) =>
    readEvent('mailgun', {
      event: 'failed',
      severity: 'permanent',
      recipient: text,
      message: { headers: { 'message-id': text } },
      'delivery-status': { message: text },
    }),
  'server/shared/bytes-name#bytesNameOf': (text) => bytesNameOf(text),
  'server/mail/in/hash/hash-mail#hashMail': (text) => hashMail([bytes(text)], 0),
  'server/mail/in/mail-identity#bodyStartOf': (text) => bodyStartOf([bytes(text)]),
  'server/mail/in/mail-identity#mailIdentity': (text) =>
    mailIdentity([bytes(text)], { inboxId: 'inb_1', hash: '', bodyHash: '' }),
  'server/mail/in/mail-identity#senderOfPieces': (text) => senderOfPieces([bytes(`From: ${text}\r\n\r\n`)]),
  'server/mail/out/file-links#parseFileLink': parseFileLink,
  'server/mail/out/markdown-html#escapeMarkdown': escapeMarkdown,
  'server/mail/out/markdown-html#markdownHtml': (text) => markdownHtml(text.slice(0, 5_000)),
  'server/features/widget/visitor-mail#addressWrite': (address) =>
    addressWrite({ tenantId: '', address, now: '2026-01-01T00:00:00.000Z' }, undefined, 'mailedAt'),
  'server/features/widget/visitor-mail#hasRepliedFrom': (address) => hasRepliedFrom([], address),
  'server/mail/out/stop-link#addressMark': addressMark,
  'server/mail/out/stop-link#parseStopLink': parseStopLink,
  'server/mail/parse/code-pages#decodeCodePage': (text) => decodeCodePage(bytes(text), 'cp437'),
  'server/mail/in/smtp-door/trace-header#returnPath': returnPath,
  'server/mail/parse/data-images#takeDataImages': (text) => takeDataImages(text, 0),
  'server/mail/parse/forwarded-mail#readForward': (text) => [
    readForward({ content: text, contentType: 'text' }, 'Fwd: a'),
    readForward({ content: text, contentType: 'text' }, text),
  ],
  'server/mail/parse/known-words#placesIn': (text) => placesIn(readLines(text, 'text'), wordsOf(text)),
  'server/mail/parse/quotations#findQuotations': (text) =>
    findQuotations(text, 'text', {
      texts: [{ messageId: 'msg_1', parts: [{ content: text, contentType: 'text' }] }],
      addresses: ['a@b.test'],
      names: ['Ann'],
    } as never),
  'server/mail/parse/quotations#quotedEnd': (text) => quotedEnd(text, [{ from: 0, to: 0 } as never]),
  'server/mail/parse/text-lines#readLines': (text) => readLines(text, 'text', () => true),
  'server/mail/parse/text-lines#wordsWithoutTargets': (text) => wordsWithoutTargets(text, 'html'),
  'server/mail/parse/text-lines#wordsOf': wordsOf,
  'server/mail/parse/text-lines#weightOf': (text) => weightOf(wordsOf(text)),
  'server/mail/parse/transfer-encodings#decodeBody': (text) =>
    ['base64', 'quoted-printable', 'x-uuencode', '7bit'].map((encoding) => decodeBody(bytes(text), encoding)),
  'server/mail/parse/windows-949#decodeWindows949': (text) => decodeWindows949(bytes(text)),
  'server/mail/parse/deep-tags#withoutDeepTags': withoutDeepTags,
  'server/mail/parse/decode-text#decodeText': (text) => [
    decodeText(bytes(text), undefined),
    decodeText(bytes(text), text),
  ],
  'server/mail/parse/encoded-words#decodeWords': decodeWords,
  'server/mail/parse/encoded-words#recodeWords': recodeWords,
  'server/mail/parse/escaped-charsets#decodeHz': (text) => decodeHz(bytes(text)),
  'server/mail/parse/escaped-charsets#decodeIso2022Kr': (text) => decodeIso2022Kr(bytes(text)),
  'server/mail/parse/escaped-charsets#decodeUtf7': (text) => decodeUtf7(bytes(text)),
  'the server that received a mail': (text) => {
    const lines = [`Authentication-Results: ${text}`, `Received: from ${text} by ${text}`]
    return receivingServerOf(readHeaders(bytes(lines.join('\n'))), { ownHops: 0 })
  },
  'server/mail/parse/authentication-results#serverOfResults': serverOfResults,
  'server/mail/parse/authentication-results#withoutComments': withoutComments,
  'server/mail/parse/header-block#lengthOfHeaders': (text) => lengthOfHeaders(bytes(text)),
  'server/mail/parse/hidden-elements#withoutHidden': withoutHidden,
  'server/mail/parse/header-block#readHeaders': (text) => readHeaders(bytes(text)),
  'server/mail/parse/inline-images#isFileUrl': isFileUrl,
  'server/mail/parse/inline-images#withStoredImages': (text) => withStoredImages(text, ['att_1']),
  'server/mail/parse/mail-addresses#isAddress': isAddress,
  'server/mail/parse/mail-addresses#readAddresses': (text) => readAddresses([text]),
  'server/mail/parse/mail-tree#readTree': refused((text) => readTree(bytes(text))),
  'server/mail/parse/message-ids#messageIds': messageIds,
  'server/mail/parse/mail-time#timeOfMail': timeOfMail,
  'server/mail/parse/plain-mailboxes#plainMailboxes': plainMailboxes,
  'server/mail/parse/read-mail#readMail': refused(mail),
  'server/mail/parse/safe-mail-html#safeMailHtml': refused((text) => safeMailHtml(text)),
  'server/mail/parser-process/frames#readFrames': refused((text) => drain(readFrames(chunksOf(text)))),
  'server/mail/parser-process/unwrap-mail#unwrapMail': async (text) => {
    for (const type of [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=b',
    ])
      await refused((given) => unwrapMail(bytes(given), type))(text)
  },
  'the verdict of a server': (text) =>
    verifiedSender({
      from: [{ address: 'a@b.test' }],
      authenticationResults: `mx.test; ${text}`,
      authservIds: ['mx.test'],
    }),
  'HTML of a mail': bodyOf('text/html'),
  'text of a mail': bodyOf('text/plain'),
  'flowed text of a mail': bodyOf('text/plain; format=flowed'),
  'a body in base64': encodedBy('base64'),
  'a body in quoted-printable': encodedBy('quoted-printable'),
  'a report of a mail': refused((text) => partOf('Content-Type: message/delivery-status', text)),
  'a mail in a mail': refused((text) => partOf('Content-Type: message/rfc822', text)),
  ...Object.fromEntries(
    ['From', 'Subject', 'References', 'Date', 'Content-Type', 'Authentication-Results'].map((name) => [
      `the header ${name}`,
      header(name),
    ]),
  ),
  'a name of a file in a mail': refused((text) =>
    partOf(`Content-Type: application/pdf; name="${withoutQuotes(text)}"`, 'x'),
  ),
  'a name of a file in pieces': refused((text) =>
    partOf(`Content-Disposition: attachment; filename*0="${withoutQuotes(text)}"; filename*1="b"`, 'x'),
  ),
}

export const otherReaders: Readonly<Record<string, ForeignText>> = { ...core, ...clients, ...server }

/** Texts that are made by the service, its operator or its own clients; and what is measured elsewhere. */
export const notForeign: Readonly<Record<string, readonly string[]>> = {
  'a value that is compared whole with a known one, or is a key of a map or an index': [
    'server/features/auth/find-invited#findInvited',
    'server/features/match-password#assertOwnPassword',
    'server/features/sign-in-grants#findGranted',
    'core/package/package-values#bytesPath',
    'server/connectors/files/zip-file#openZip',
    'server/imports/package/package-page#rowOf',
    'server/imports/package/package-page#useFields',
    'server/imports/package/package-store#findPackageFile',
    'server/imports/package/package-store#packageFileId',
    'server/imports/package/plan-package-others#planSuppression',
    'console/features/actions/change-by-dialog#setLabels',
    'console/features/thread/image-senders#digestOf',
    'console/store/conversations#idOf',
    'console/store/views#isViewName',
    'console/strings/strings#setLanguage',
    'console/strings/word-of#wordOf',
    'console/app/addresses#customersAddress',
    'console/app/addresses#settingsAddress',
    'console/features/settings/countries#countriesOf',
    'server/features/conversations/drafts/based-on#withoutFiles',
    'console/app/after-closing#setAfterClosing',
    'server/mail/in/fetch/due-mailboxes#findMailboxes',
    'console/features/settings/role-field#isRoleName',
    'console/features/settings/role-field#nameOfRole',
    'core/contract/failure#mergedConversation',
    'server/shared/merged-conversation#rowsShownIn',
    'core/messages/mail-recipients#queuedRecipients',
    'server/features/auth/identities-in#identitiesIn',
    'server/features/conversations/drafts/fixed-recipients#isRecipientChange',
    'server/features/events/log-scope#startOf',
    'server/features/signed-in-user#userIdOf',
    'server/storage/rules/erased#withoutWords',
    'server/features/views/views-of-audience#viewsOfAudience',
    'server/features/widget/widget-inbox#getWidgetInbox',
    'server/features/widget/widget-inbox#isOriginAllowed',
    'server/http/credentials/authorize#authorize',
    'server/mail/addresses/suppressed-among#suppressedAmong',
    'server/mail/in/find-thread#takesPart',
    'server/mail/in/smtp-door/find-recipient#findRecipient',
    'server/mail/out/sign-mail#signerOf',
    'server/shared/conversation-log#activitiesOfMove',
    'server/shared/conversation-log#byCustomer',
    'server/shared/inbound-token#findInboxByToken',
    'server/shared/is-blocked-address#isBlockedAddress',
    'server/features/customers/address-erasures#erasuresOf',
    'server/shared/phone-numbers#isPhoneCountry',
    'server/shared/people-of-address#hasAddress',
    'server/shared/people-of-address#ownerOfAddress',
    'server/shared/people-of-address#peopleOfAddress',
    'server/storage/rules/address-uses#addressesOfMail',
    'server/storage/rules/customer-addresses#customerAddressId',
    'server/storage/rules/rows#isSame',
    'server/storage/rules/widget#widgetPersonId',
    'widget/browser/loader/texts#readTexts',
    'widget/browser/shared/languages#directionOf',
    'widget/browser/shared/languages#languageOf',
    'widget/browser/shared/protocol#targetOf',
  ],
  'a phone number, which `comparablePhone` reads': [
    'server/shared/people-of-phone#callWithout',
    'server/shared/people-of-phone#callsOfPhone',
    'server/shared/people-of-phone#isExplained',
  ],
  'a phone number, which `toE164` reads': [
    'server/imports/plan/planned-record#furtherPhonesOf',
    'server/imports/plan/planned-record#phoneOf',
  ],
  'the address of an erased person, compared with each of a message': [
    'server/shared/erased-address#attemptsWithout',
    'server/shared/erased-address#draftWithout',
    'server/shared/erased-address#hasOlderHolder',
    'server/shared/erased-address#isErasedSender',
    'server/shared/erased-address#isStrangers',
    'server/shared/erased-address#messageWithout',
    'server/shared/erased-address#namesAddress',
    'server/shared/erased-address#participantsWithout',
  ],
  'a text that is shown or sent as it is': [
    'console/strings/words-of#wordsOf',
    'console/api/imports#createFileSource',
    'cli/output/save-stream#saveStream',
    'console/api/audit#readAuditLog',
    'console/api/customers#changeTags',
    'console/api/customers#rewriteNote',
    'console/api/customers#writeNote',
    'console/api/mails#readMails',
    'console/api/privacy#decidePrivacyRequest',
    'console/api/privacy#requestDeletion',
    'console/api/search#searchEverything',
    'console/features/search/hits#recentGroup',
    'console/store/find-customers#findCustomers',
    'console/features/analytics/csv#downloadCsv',
    'console/features/settings/header-lines#headerLines',
    'console/ui/avatar#Avatar',
    'console/ui/download#download',
    'console/ui/toasts#showToast',
    'server/adapters/hubspot/hubspot-missing-files#withMissingFiles',
    'server/features/doors/door-mail#doorMailWrites',
    'server/http/backpressure/pieces#piecesOf',
    'server/http/backpressure/pieces#sendInPieces',
    'server/http/response/send-reply#endReply',
    'server/mail/in/fetch/take-mail#setAside',
    'server/mail/out/prepared#unreachable',
    'server/mail/out/send-schedule#givenUp',
    'server/mail/out/send-schedule#loggedAttempts',
    'server/mail/in/store-mail#inTurn',
    'server/mail/parser-process/frames#jsonFrame',
    'server/mail/parser-process/frames#pieces',
    'server/mail/parser-process/mail-bytes#gatherBytes',
    'server/mail/parser-process/mail-bytes#inShares',
    'server/shared/file-chunks#inChunks',
    'server/shared/last-contact#contactWrite',
    'widget/browser/frame/api#ask',
    'widget/browser/frame/api#send',
    'widget/browser/frame/dom#makeButton',
    'widget/browser/frame/dom#makeIconButton',
    'widget/browser/frame/outbox#upload',
    'widget/browser/loader/say#say',
  ],
  'the type of a value, or a failure that this code has made': [
    'server/connectors/files/zip-file#archiveError',
    'server/shared/passing-error#isPassing',
    'server/shared/passing-error#unlessOfDisk',
    'console/api/problem#faultsOf',
    'console/api/problem#problemOf',
    'console/features/actions/change-conversation#showFailure',
    'console/mail-frame/frame-messages#frameMessageOf',
    'console/mail-frame/frame-messages#isShowFile',
    'console/mail-frame/frame-messages#isShowMail',
    'sdk/core/api-error-of#isRecord',
    'sdk/core/form-body#isFormBody',
    'sdk/core/name-failure#callerStack',
    'sdk/core/name-failure#named',
    'sdk/core/own-failure#ownFailureOf',
    'sdk/core/retry-plan#retryDelayMs',
    'sdk/webhooks/handlers/read-raw-body#consumed',
    'server/adapters/imap/describe-imap-failure#isUnreachable',
    'server/adapters/imap/imap-client#causeOf',
    'server/http/response/broken-rows#withoutBrokenRows',
    'server/http/response/handle-error#replyToError',
    'server/mail/in/process-mails#unlessChanged',
    'server/mail/out/outbound-budget#isOutboundLimit',
    'server/shared/known-notice#knownNoticeOf',
    'server/shared/note-door#isNotedDoor',
    'server/storage/rules/readable-rows#isReadAs',
    'widget/browser/frame/api#asApiError',
  ],
  'a time, a number or a word of the service itself': [
    'server/mail/in/hash/hash-mail#hashFile',
    'server/features/tenant/retention/aged-rows#agedAttachments',
    'server/features/tenant/retention/aged-rows#agedConversations',
    'console/features/analytics/use-figures#momentsOf',
    'server/features/analytics/figures/add-shares#endOfDay',
    'console/features/actions/change-by-dialog#snooze',
    'console/features/thread/image-senders#rememberSender',
    'console/strings/times#isSameDay',
    'core/shared/month#monthsBetween',
    'core/webhooks/webhook-rules#isHopeless',
    'server/adapters/imap/imap-mailbox#createImapMailbox',
    'server/adapters/zoho/zoho-full-texts#richTextsOf',
    'server/features/conversations/counted-views#hasNoUnread',
    'server/features/conversations/counted-views#totalOf',
    'server/features/widget/show-to-visitor#visitorUrl',
    'server/features/integrations/connect-account#connectedNote',
    'server/http/pages/api-docs/for-generators#nameReplies',
    'server/http/pipeline/run-handler#assertAudited',
    'server/imports/plan/page-plan#later',
    'server/mail/addresses/mail-tags#sharedTag',
    'server/mail/addresses/tenants-beginning#tenantsBeginning',
    'server/mail/in/made-mail#unreadMail',
    'server/mail/out/provider-headers#providerHeaders',
    'server/shared/monthly-usage#storedMonth',
    'server/shared/note-door#afterPatience',
    'server/shared/reply-page#pageTotals',
    'server/shared/within-hour#withinHour',
    'server/storage/cursor#encodeCursor',
    'server/storage/rules/erased#asErased',
    'server/storage/rules/erased#leftoverOf',
    'server/storage/sort-keys#priorityRank',
    'server/storage/transfer#assertIsWhole',
  ],
  'a word of the sources: a name of a field, a column, a path, a sentence': [
    'core/messages/message-rules#needsWordsOrFiles',
    'cli/output/plural#counted',
    'cli/output/plural#plural',
    'cli/output/progress#startProgress',
    'console/features/mail/reasons#reasonOf',
    'console/features/actions/change-conversation#change',
    'console/features/actions/change-conversation#changeFields',
    'console/features/sign-in/sign-in-screen#Card',
    'console/ui/key-text#keyText',
    'console/ui/lazy#lazy',
    'core/contract/define-operation#none',
    'core/contract/failure#conflict',
    'core/contract/failure#invalidState',
    'core/contract/failure#referenceFailure',
    'core/contract/failure#referenceProblem',
    'core/shared/common-fields#byId',
    'core/shared/common-fields#ownId',
    'core/shared/rule#rule',
    'sdk/testing/fake-clock#fakeClock',
    'sdk/testing/fake-service#callOf',
    'sdk/testing/signed-request#signedRequest',
    'server/adapters/sqlite/search/search-conditions#contentHasTerms',
    'server/adapters/sqlite/search/search-conditions#inIndex',
    'server/adapters/sqlite/search/search-conditions#textHasTerms',
    'server/adapters/sqlite/search/search-statistics#usedRange',
    'server/features/sign-in-grants#refusedSignIn',
    'server/shared/find-people#searchedParts',
    'server/http/credentials/credential-kind#authRequired',
    'server/http/pages/api-docs/for-generators#nameNullableObjects',
    'server/http/pages/api-docs/for-generators#plainName',
    'server/http/pages/api-docs/for-generators#simplifyChoices',
    'server/http/pages/api-docs/share-parts#freeName',
    'server/http/pages/api-docs/share-parts#isHolder',
    'server/http/pages/api-docs/share-parts#pascal',
    'server/http/pages/api-docs/share-parts#shareWords',
    'server/http/pages/packed-file#packFile',
    'server/imports/package/plan-package-conversation#keepBefore',
    'server/shared/at-first-use#atFirstUse',
  ],
  'the address line of the browser of its own user': [
    'console/app/addresses#placeOf',
    'console/ui/navigation#addressOf',
    'console/ui/navigation#decoded',
    'console/ui/navigation#navigate',
  ],
  'a path that the operator names; `package-archive.test.ts` bounds what is there': [
    'core/package-folder/package-archive#isArchiveName',
    'core/package-folder/package-archive#unpackArchive',
    'core/package-folder/package-archive#writeArchive',
  ],
  'a setting of the operator, of the tenant or of a program that uses the SDK': [
    'cli/output/assert-fields#assertFields',
    'server/security/address-digests#createAddressDigests',
    'core/package-folder/package-reader#openPackage',
    'core/package-folder/package-writer#digestOf',
    'core/attachments/attachment#attachmentUrl',
    'sdk/widget/sign-widget-user#signWidgetUser',
    'server/adapters/hubspot/hubspot-replies#remembered',
    'server/adapters/hubspot/hubspot-threads#isOfThreads',
    'server/adapters/hubspot/hubspot-tokens#assertAllowed',
    'server/adapters/hubspot/hubspot-tokens#failureOf',
    'server/adapters/zoho/zoho-tokens#accessOf',
    'server/adapters/zoho/zoho-tokens#clientOf',
    'server/http/pipeline/incoming#mountPathOf',
    'server/http/response/cors#createCors',
    'server/http/router#serveByPath',
    'server/mail/addresses/mail-tags#createMailTags',
    'server/shared/sendgrid-key#sendgridKey',
    'server/mail/in/smtp-door/trace-header#untrustedHeader',
    'server/mail/out/away-servers#serverName',
    'server/security/secret-box#createSecretBox',
    'server/security/secret-box#keyIdOf',
    'server/security/session-tokens#createSessionTokens',
    'server/shared/sync-folder#syncFolder',
    'server/shared/work-folders#makeWorkFolder',
    'server/shared/work-folders#removeLeftFolders',
  ],
  'a field of an operation, which `every-text.test.ts` sends': ['core/inboxes/inbox-rules#newInbox'],
  'a name of a sender, which the library of the door has cut, and which is cut again': [
    'server/mail/in/smtp-door/trace-header#traceHeader',
  ],
}
