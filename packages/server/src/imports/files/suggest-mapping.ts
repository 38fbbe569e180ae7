import { type HeaderTargets, headerTargets, normalizeText } from '@crmkit/core'

/** Words of headers, folded, for each target. */
const words: Readonly<Record<string, readonly string[]>> = {
  id: [
    'id',
    'recordid',
    'contactid',
    'leadid',
    'dealid',
    'caseid',
    'ticketid',
    'noteid',
    'callid',
    'kundennummer',
    'customernumber',
    'nr',
    'nummer',
  ],
  firstName: ['firstname', 'givenname', 'vorname', 'prenom', 'nombre'],
  lastName: [
    'lastname',
    'surname',
    'familyname',
    'nachname',
    'name',
    'fullname',
    'nomdefamille',
    'apellidos',
    'familienname',
  ],
  email: ['email', 'emailaddress', 'mail', 'emailadresse', 'correo', 'courriel'],
  secondaryEmail: ['secondaryemail', 'email2', 'otheremail', 'alternateemail', 'zweiteemail'],
  phone: [
    'phone',
    'phonenumber',
    'telephone',
    'tel',
    'mobile',
    'mobilephone',
    'telefon',
    'telefonnummer',
    'handy',
    'telefono',
  ],
  company: [
    'company',
    'companyname',
    'account',
    'accountname',
    'organization',
    'organisation',
    'firma',
    'unternehmen',
    'societe',
    'empresa',
  ],
  jobTitle: ['jobtitle', 'title', 'position', 'role', 'beruf', 'funktion'],
  tags: ['tags', 'tag', 'labels', 'schlagworte'],
  createdAt: [
    'createdat',
    'createdtime',
    'created',
    'createdate',
    'datecreated',
    'erstelltam',
    'angelegtam',
    'erstellt',
  ],
  subject: ['subject', 'dealname', 'ticketname', 'betreff', 'thema', 'topic', 'name', 'title'],
  stage: ['stage', 'dealstage', 'phase'],
  status: ['status', 'state', 'ticketstatus'],
  priority: ['priority', 'prioritat', 'prioritaet', 'dringlichkeit'],
  channel: ['channel', 'origin', 'caseorigin', 'source', 'kanal'],
  description: ['description', 'beschreibung', 'details', 'body'],
  customerId: ['customerid', 'contactid', 'kundenid', 'kontaktid', 'whoid'],
  title: ['title', 'notetitle', 'titel', 'subject', 'betreff'],
  content: ['content', 'note', 'notecontent', 'text', 'body', 'notiz', 'inhalt'],
  parentModule: ['parentmodule', 'parenttype'],
  parentId: ['parentid', 'relatedto', 'contactid', 'dealid'],
  callType: ['calltype', 'type', 'direction', 'richtung', 'anrufart'],
  startedAt: ['startedat', 'starttime', 'callstarttime', 'date', 'time', 'beginn', 'datum'],
  durationSeconds: ['durationseconds', 'duration', 'durationinseconds', 'dauer'],
}

/** No name of a field is longer. */
const headerLengthMax = 128

function foldHeader(header: string): string {
  return normalizeText(header.slice(0, headerLengthMax), 'NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}

/** Suggests a target for each header by its words; one that fits none becomes a custom field of its name. */
function suggestMapping(module: string, headers: readonly string[]): HeaderTargets {
  const targets = headerTargets[module] ?? []
  const taken = new Set<string>()
  const suggested: HeaderTargets = {}
  for (const header of headers.filter((name) => name !== '')) {
    const folded = foldHeader(header)
    const found = targets.find((target) => !taken.has(target) && words[target]?.includes(folded))
    suggested[header] = found ?? customTargetOf(header)
    if (found !== undefined) taken.add(found)
  }
  return suggested
}

function customTargetOf(header: string): string {
  return `customFields.${header.replaceAll(/\p{Cc}/gu, ' ').slice(0, 128)}`
}

/** Returns the target of each header: the one that a person chose, else the suggested one. */
export function mappingOf(
  module: string,
  headers: readonly string[],
  chosen: Readonly<Record<string, string | null>> = {},
): HeaderTargets {
  const suggested = suggestMapping(module, headers)
  const claimed = new Set(Object.values(chosen))
  return Object.fromEntries(
    Object.entries(suggested).map(([header, target]) => {
      if (Object.hasOwn(chosen, header)) return [header, chosen[header] ?? null]
      const isClaimed = target !== null && claimed.has(target)
      return [header, isClaimed ? customTargetOf(header) : target]
    }),
  )
}
