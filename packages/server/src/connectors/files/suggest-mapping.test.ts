import { headerTargets } from '@crmkit/core'
import { describe, expect, it } from 'vitest'
import { headerWords } from './header-words.ts'
import { ColumnTargets, mappingOf } from './suggest-mapping.ts'

/** `Header>target` for each column that has one; a column without goes to a custom field of its name. */
const exports: readonly (readonly [product: string, module: string, columns: string])[] = [
  [
    'Google',
    'Contacts',
    'First Name>firstName|Middle Name|Last Name>lastName|Organization Name>company|Organization Title>jobTitle|Notes|Labels>tags|E-mail 1 - Label|E-mail 1 - Value>email|E-mail 2 - Label|E-mail 2 - Value>secondaryEmail|Phone 1 - Label|Phone 1 - Value>phone',
  ],
  [
    'Outlook',
    'Contacts',
    'First Name>firstName|Last Name>lastName|Title|E-mail Address>email|E-mail 2 Address>secondaryEmail|Business Phone>phone|Mobile Phone>phone|Job Title>jobTitle|Company>company|Categories>tags',
  ],
  [
    'Pipedrive',
    'Contacts',
    'Person - ID>id|Person - Name|Person - First name>firstName|Person - Last name>lastName|Person - Organization>company|Person - Phone - Work>phone|Person - Email - Work>email|Person - Person created>createdAt|Person - Owner',
  ],
  [
    'Salesforce',
    'Contacts',
    'ID>id|LASTNAME>lastName|FIRSTNAME>firstName|NAME|PHONE>phone|MOBILEPHONE>phone|EMAIL>email|TITLE>jobTitle|CREATEDDATE>createdAt|OWNERID',
  ],
  [
    'Zendesk users',
    'Contacts',
    'id>id|name>fullName|email>email|phone>phone|role|organization>company|tags>tags|created_at>createdAt|updated_at>updatedAt',
  ],
  [
    'Zendesk tickets',
    'Cases',
    'id>id|subject>subject|description>description|status>status|priority>priority|requester_id>customerId|assignee_id|tags>labels|created_at>createdAt|updated_at>updatedAt|via>channel',
  ],
  [
    'Shopify',
    'Contacts',
    'Customer ID>id|First Name>firstName|Last Name>lastName|Email>email|Default Address Company>company|Default Address City|Phone>phone|Tags>tags',
  ],
  [
    'HubSpot tickets',
    'Cases',
    'Ticket ID>id|Ticket name>subject|Pipeline|Ticket status>status|Create date (GMT+1)>createdAt|Priority>priority|Source>channel|Ticket description>description|Associated Contact|Associated Contact IDs>customerId|Ticket owner',
  ],
  [
    'Zoho cases',
    'Cases',
    'Record Id>id|Case Owner.id|Case Owner|Case Number|Subject>subject|Status>status|Priority>priority|Case Origin>channel|Related To.id>customerId|Related To|Email>customerEmail|Description>description|Created Time>createdAt|Modified Time>updatedAt',
  ],
  [
    'Salesforce cases',
    'Cases',
    'Case Number>id|Contact ID>customerId|Subject>subject|Status>status|Date/Time Opened>createdAt|Closed Date>closedAt',
  ],
  [
    'Freshdesk',
    'Cases',
    'Ticket ID>id|Subject>subject|Status>status|Priority>priority|Source>channel|Agent|Created time>createdAt|Resolved time>closedAt|Contact ID>customerId|Email>customerEmail',
  ],
  [
    'comments',
    'Notes',
    'id>id|ticket_id>parentId|author_id>authorId|author_name>authorName|public>isPublic|body>content|created_at>createdAt',
  ],
  [
    'Mailchimp',
    'Contacts',
    'Email Address>email|First Name>firstName|Last Name>lastName|Address|Phone Number>phone|TAGS>tags|MEMBER_RATING',
  ],
  [
    'German',
    'Contacts',
    'Anrede|Vorname>firstName|Nachname>lastName|E-Mail-Adresse>email|Telefon>phone|Mobil>phone|Firma>company|Position>jobTitle|Erstellt am>createdAt|PLZ|Ort',
  ],
  ['German name', 'Contacts', 'Kundennummer>id|Name>lastName|Vorname>firstName|E-Mail>email'],
  [
    'French',
    'Contacts',
    'Pr\u00e9nom>firstName|Nom>lastName|E-mail>email|T\u00e9l\u00e9phone>phone|Soci\u00e9t\u00e9>company|Fonction>jobTitle|Ville',
  ],
  [
    'Spanish',
    'Contacts',
    'Nombre>firstName|Apellidos>lastName|Correo electr\u00f3nico>email|Tel\u00e9fono>phone|Empresa>company|Cargo>jobTitle',
  ],
  [
    'Italian',
    'Contacts',
    'Nome>lastName|Nome di battesimo>firstName|Email>email|Telefono>phone|Azienda>company|Qualifica>jobTitle',
  ],
  [
    'Portuguese',
    'Contacts',
    'Nome completo>fullName|E-mail>email|Telefone>phone|Empresa>company|Cargo>jobTitle|Criado em>createdAt',
  ],
  [
    'Dutch',
    'Contacts',
    'Voornaam>firstName|Achternaam>lastName|E-mailadres>email|Telefoonnummer>phone|Bedrijf>company|Functie>jobTitle',
  ],
  [
    'Polish',
    'Contacts',
    'Imi\u0119>firstName|Nazwisko>lastName|Adres e-mail>email|Telefon kom\u00f3rkowy>phone|Firma>company|Stanowisko>jobTitle',
  ],
  [
    'Russian',
    'Contacts',
    '\u0424\u0430\u043c\u0438\u043b\u0438\u044f>lastName|\u0418\u043c\u044f>firstName|\u042d\u043b\u0435\u043a\u0442\u0440\u043e\u043d\u043d\u0430\u044f \u043f\u043e\u0447\u0442\u0430>email|\u0422\u0435\u043b\u0435\u0444\u043e\u043d>phone|\u041a\u043e\u043c\u043f\u0430\u043d\u0438\u044f>company|\u0414\u043e\u043b\u0436\u043d\u043e\u0441\u0442\u044c>jobTitle',
  ],
  [
    'Japanese',
    'Contacts',
    '\u59d3>lastName|\u540d>firstName|\u30e1\u30fc\u30eb\u30a2\u30c9\u30ec\u30b9>email|\u96fb\u8a71\u756a\u53f7>phone|\u4f1a\u793e\u540d>company|\u5f79\u8077>jobTitle',
  ],
  [
    'Chinese',
    'Contacts',
    '\u59d3\u540d>fullName|\u516c\u53f8>company|\u804c\u4f4d>jobTitle|\u624b\u673a>phone|\u90ae\u7bb1>email',
  ],
  [
    'Korean',
    'Contacts',
    '\uc774\ub984>firstName|\uc131>lastName|\uc774\uba54\uc77c>email|\uc804\ud654\ubc88\ud638>phone|\ud68c\uc0ac>company',
  ],
]

describe('the suggested targets of exports', () => {
  it.each(exports)('%s', (_product, module, columns) => {
    const pairs = columns.split('|').map((column) => column.split('>') as [string, string?])
    const headers = pairs.map(([header]) => header)
    const wanted = pairs.map(([header, target]) => [
      header,
      target ?? (module === 'Notes' ? null : `customFields.${header}`),
    ])
    expect(Object.entries(mappingOf(module, { headers }))).toEqual(wanted)
  })
})

it('a column of e-mail addresses is the address, whatever it is called', () => {
  const headers = ['Login', 'Surname']
  expect(mappingOf('Contacts', { headers, emailColumns: ['Login'] })).toEqual({
    Login: 'email',
    Surname: 'lastName',
  })
  const named = ['Login', 'Email']
  expect(mappingOf('Contacts', { headers: named, emailColumns: named })).toEqual({
    Login: 'customFields.Login',
    Email: 'email',
  })
})

it('a column that a person has mapped leaves its target to no other one', () => {
  const headers = ['Work Phone', 'Phone', 'Mail', 'Email']
  expect(mappingOf('Contacts', { headers }, { Mail: 'email', Phone: 'phone' })).toEqual({
    'Work Phone': 'customFields.Work Phone',
    Phone: 'phone',
    Mail: 'email',
    Email: 'customFields.Email',
  })
})

it('a field of JSON that is met later gets a target that is free', () => {
  const targets = new ColumnTargets('Contacts', { headers: ['id', 'email'] })
  const later = ['E-Mail', 'lastName', 'Phone'].map((name) => targets.of(name).target)
  expect(later).toEqual(['customFields.E-Mail', 'lastName', 'phone'])
})

it('each list of words is one of a target', () => {
  const targets = new Set(Object.values(headerTargets).flat())
  expect(Object.keys(headerWords).filter((target) => !targets.has(target))).toEqual([])
  expect([...targets].filter((target) => !(target in headerWords))).toEqual([])
})
