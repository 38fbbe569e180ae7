/**
 * Words of headers for each target, the surest first, in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian,
 * Japanese, Chinese and Korean. They are compared folded: without case, accents, blanks and signs.
 */
export const headerWords: Readonly<Record<string, string>> = {
  id: 'id, record id, uid, external id, nr, nummer, no, number, numéro, identifiant, identificador, codice, номер, ид',
  firstName:
    'first name, given name, forename, first, fname, vorname, prénom, nombre, nombres, nome di battesimo, primeiro nome, voornaam, imię, имя, 名, 名前, 名字, 이름',
  lastName:
    'last name, surname, family name, last, lname, nachname, familienname, zuname, nom de famille, nom, apellidos, apellido, cognome, sobrenome, apelido, último nome, achternaam, nazwisko, фамилия, 姓, 苗字, 姓氏, 성',
  fullName:
    'full name, name, display name, contact name, customer name, complete name, vollständiger name, kontaktname, ansprechpartner, nom complet, nombre completo, nome completo, nome e cognome, nome, volledige naam, naam, imię i nazwisko, фио, полное имя, 氏名, お名前, 姓名, 성명',
  email:
    'email, email address, primary email, email 1, mail, e mail, work email, business email, email 1 address, correo electrónico, correo, courriel, adresse email, adresse e mail, adresse électronique, adresse de messagerie, email adresse, e mail adresse, mailadresse, indirizzo email, posta elettronica, endereço de email, e mailadres, emailadres, adres email, adres e mail, электронная почта, почта, эл почта, адрес электронной почты, メール, メールアドレス, eメール, 电子邮件, 邮箱, 電子郵件, 邮件地址, 이메일, 이메일 주소, 메일',
  secondaryEmail:
    'secondary email, email 2, email 2 address, other email, alternate email, additional email, email 3, email 3 address, personal email, home email, zweite email, weitere email, autre email, otro correo',
  phone:
    'phone, phone number, telephone, telephone number, primary phone, phone 1, tel, mobile, mobile phone, mobile number, cell, cell phone, work phone, business phone, phone 2, phone 3, phone 4, home phone, other phone, telefon, telefonnummer, rufnummer, mobil, mobiltelefon, mobilnummer, handy, handynummer, téléphone, téléphone portable, numéro de téléphone, portable, teléfono, teléfono móvil, móvil, celular, telefono, cellulare, numero di telefono, telefone, telemóvel, telefoon, telefoonnummer, mobiel, telefon komórkowy, numer telefonu, телефон, мобильный телефон, номер телефона, 電話, 電話番号, 携帯電話, 电话, 手机, 手机号, 电话号码, 電話號碼, 전화, 전화번호, 휴대폰, 휴대전화',
  company:
    'company, company name, account name, account, organization, organisation, organization name, organisation name, organization 1 name, business name, employer, default address company, firma, firmenname, unternehmen, unternehmensname, société, entreprise, raison sociale, empresa, nombre de la empresa, compañía, azienda, società, ragione sociale, nome da empresa, companhia, bedrijf, bedrijfsnaam, nazwa firmy, компания, организация, название компании, 会社, 会社名, 組織, 公司, 公司名称, 公司名稱, 회사, 회사명',
  jobTitle:
    'job title, position, organization title, organization 1 title, job, occupation, designation, title, beruf, funktion, berufsbezeichnung, stelle, stellenbezeichnung, fonction, poste, intitulé du poste, cargo, puesto, posizione, qualifica, ruolo, mansione, função, functie, functietitel, stanowisko, должность, 役職, 職位, 职位, 职务, 직책, 직위, 직함',
  tags: 'tags, tag, labels, label, categories, group membership, schlagworte, schlagwörter, kategorien, étiquettes, catégories, etiquetas, categorías, etichette, categorie, labels, etykiety, теги, метки, タグ, 标签, 標籤, 태그',
  createdAt:
    'created at, created time, created, create date, created date, date created, creation date, created on, date added, opened at, opened date, date opened, date time opened, requested at, erstellt am, erstellt, angelegt am, angelegt, erstelldatum, erstellungsdatum, date de création, créé le, fecha de creación, creado el, creado, data di creazione, creato il, data creazione, data de criação, criado em, aangemaakt op, aanmaakdatum, data utworzenia, utworzono, дата создания, создано, 作成日, 作成日時, 创建时间, 创建日期, 建立時間, 생성일, 등록일',
  updatedAt:
    'updated at, modified time, last modified date, last modified, updated, update date, updated on, modified at, modified, date modified, last updated, last update, geändert am, zuletzt geändert, aktualisiert am, modifié le, date de modification, fecha de modificación, actualizado el, data di modifica, modificato il, atualizado em, gewijzigd op, data modyfikacji, дата изменения, 更新日, 更新日時, 更新时间, 修改时间, 수정일',
  closedAt:
    'closed at, closed time, closed date, close date, date closed, closed on, resolved at, resolved time, solved at, date resolved, completed at, geschlossen am, gelöst am, fermé le, résolu le, cerrado el, fecha de cierre, chiuso il, fechado em, gesloten op, data zamknięcia, дата закрытия',
  subject:
    'subject, deal name, ticket name, ticket subject, case subject, opportunity name, issue summary, summary, topic, name, title, call name, betreff, thema, titel, objet, sujet, asunto, oggetto, assunto, onderwerp, temat, тема, 件名, 主题, 主題, 제목',
  stage: 'stage, deal stage, pipeline stage, phase, étape, etapa, fase, этап, 阶段, ステージ, 단계',
  status:
    'status, ticket status, case status, state, conversation status, zustand, statut, état, estado, stato, situação, статус, состояние, ステータス, 状态, 狀態, 상태',
  priority:
    'priority, ticket priority, priorität, dringlichkeit, priorité, prioridad, priorità, prioridade, prioriteit, priorytet, приоритет, 優先度, 优先级, 優先級, 우선순위',
  channel:
    'channel, case origin, origin, source, ticket source, via, kanal, herkunft, canal, canale, kanaal, kanał, канал, チャネル, 渠道, 채널',
  description:
    'description, ticket description, body, details, message, first message, beschreibung, inhalt, nachricht, contenu, descripción, mensaje, descrizione, descrição, omschrijving, beschrijving, opis, описание, сообщение, 説明, 内容, 描述, 설명, 내용',
  customerId:
    'customer id, contact id, requester id, user id, person id, client id, associated contact id, associated contact ids, related to id, who id, kunden id, kontakt id, kundennummer, customer number, id client, id cliente, klantnummer, id klienta',
  customerEmail:
    'customer email, requester email, contact email, email, from email, email address, sender email, client email, user email, associated contact email, person email, reporter email, kunden email, e mail des kunden, kontakt email, absender, kunde email, email kunde, email du client, courriel du client, correo del cliente, email cliente, email do cliente, email klant, email klienta',
  labels:
    'labels, tags, label, tag, ticket tags, schlagworte, étiquettes, etiquetas, etichette, etykiety, теги',
  title: 'title, note title, subject, titel, betreff, titre, título, titolo, título, заголовок, 件名, 标题',
  content:
    'content, note content, note, body, comment, text, comment body, plain body, message, notiz, inhalt, kommentar, commentaire, contenu, nota, comentario, testo, commento, comentário, opmerking, notatka, komentarz, комментарий, текст, 内容, 备注, 내용',
  parentModule: 'parent module, parent type',
  parentId: 'parent id, ticket id, case id, deal id, related to, contact id, lead id, conversation id',
  authorId: 'author id, created by id, sender id, user id',
  authorName:
    'author name, author, created by, owner name, from name, sender name, sender, verfasser, autor, auteur, autore',
  authorEmail: 'author email, created by email, from email, sender email, owner email',
  authorType: 'author type, author role, sender type, sender role, from type',
  direction: 'direction, message direction, richtung',
  isPublic: 'public, is public, visibility, öffentlich',
  callType: 'call type, type, direction, richtung, anrufart, type d appel, tipo de llamada',
  startedAt: 'started at, start time, call start time, call time, date, time, beginn, datum, fecha, data',
  durationSeconds:
    'duration seconds, duration, duration in seconds, call duration, dauer, durée, duración, durata, duração, duur',
}

/** Words for the records of a module, before the name of a field: `Person - First name`, `Ticket status`. */
export const recordWords: Readonly<Record<string, string>> = {
  Contacts: 'person, contact, customer, user, people, client, kontakt, kunde',
  Leads: 'lead, person, contact',
  Deals: 'deal, opportunity',
  Cases: 'ticket, case, issue, conversation, request, vorgang',
  Notes: 'note, comment, message',
  Calls: 'call, activity',
}

/** Words behind the name of a field that say which of several it is. */
export const labelWords = 'value, work, home, main, primary, business, office, private, 1'
