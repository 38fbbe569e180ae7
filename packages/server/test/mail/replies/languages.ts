/** The words of a mail program and of its user in one language. The date is always Monday, 23 November 2026, 10:00. */
export interface Language {
  name: string
  /** The words of the desk, in Markdown. */
  reply: string
  /** Its shortest reply. */
  short: string
  /** The first words of the customer. */
  first: string
  own: readonly [string, string, string]
  sentFrom: string
  gmail: (name: string, address: string) => string
  apple: (name: string, address: string) => string
  thunderbird: (name: string) => string
  yahoo: (name: string, address: string) => string
  proton: (name: string, address: string) => string
  k9: (name: string, address: string) => string
  labels: { from: string; sent: string; to: string; subject: string }
  outlookDate: string
  gmxDate: string
  original: string
  originalDate: string
  date: string
}

const english: Language = {
  name: 'English',
  reply:
    'Hello Ada,\n\nthank you for your patience. **Which lamp** is it, and where do you live?\n\n- The order has a number\n- The lamp has a serial\n\n1. Pull the plug\n2. Take a photo\n3. Send it\n\nSee [our page](https://shop.test/lamps) for both. It says "serial", and it\'s behind the switch -- mostly on a label of paper that is white.',
  short: 'Which one?',
  first:
    'Good morning,\n\nthe lamp in our hall is broken since Monday.\nIt was delivered in May.\n\nAda Lovelace',
  own: ['The blue one, in Berlin.', 'Yes!', 'Many thanks\nAda'],
  sentFrom: 'Sent from my iPhone',
  gmail: (name, address) => `On Mon, Nov 23, 2026 at 10:00\u202fAM ${name} <${address}> wrote:`,
  apple: (name, address) => `On Nov 23, 2026, at 10:00\u202fAM, ${name} <${address}> wrote:`,
  thunderbird: (name) => `On 11/23/26 10:00 AM, ${name} wrote:`,
  yahoo: (name, address) => `On Monday, November 23, 2026 at 10:00:00 AM GMT+1, ${name} <${address}> wrote:`,
  proton: (name, address) => `On Monday, November 23rd, 2026 at 10:00 AM, ${name} <${address}> wrote:`,
  k9: (name, address) => `On November 23, 2026 10:00:00 AM GMT+01:00, ${name} <${address}> wrote:`,
  labels: { from: 'From', sent: 'Sent', to: 'To', subject: 'Subject' },
  outlookDate: 'Monday, November 23, 2026 10:00 AM',
  gmxDate: 'Monday, November 23, 2026 at 10:00 AM',
  original: 'Original message',
  originalDate: '11/23/26 10:00 (GMT+01:00)',
  date: 'Date',
}

const german: Language = {
  name: 'German',
  reply:
    'Guten Tag Ada,\n\nvielen Dank für Ihre Geduld. **Welche Lampe** ist es, und wo wohnen Sie?\n\n- Die Bestellung hat eine Nummer\n- Die Lampe hat eine Seriennummer\n\n1. Stecker ziehen\n2. Foto machen\n3. Hierher senden\n\nBeides steht auf [unserer Seite](https://shop.test/lampen). Das Schild ist weiß und klebt meistens unten am Gehäuse, gleich neben dem Schalter.',
  short: 'Welche denn?',
  first:
    'Guten Morgen,\n\ndie Lampe in unserem Flur ist seit Montag kaputt.\nSie kam im Mai.\n\nAda Lovelace',
  own: ['Die blaue, in Köln.', 'Ja!', 'Viele Grüße\nAda'],
  sentFrom: 'Von meinem iPhone gesendet',
  gmail: (name, address) => `Am Mo., 23. Nov. 2026 um 10:00 Uhr schrieb ${name} <${address}>:`,
  apple: (name, address) => `Am 23.11.2026 um 10:00 schrieb ${name} <${address}>:`,
  thunderbird: (name) => `Am 23.11.26 um 10:00 schrieb ${name}:`,
  yahoo: (name, address) =>
    `Am Montag, 23. November 2026 um 10:00:00 MEZ hat ${name} <${address}> Folgendes geschrieben:`,
  proton: (name, address) => `Am Montag, 23. November 2026 um 10:00, schrieb ${name} <${address}>:`,
  k9: (name, address) => `Am 23. November 2026 10:00:00 MEZ schrieb ${name} <${address}>:`,
  labels: { from: 'Von', sent: 'Gesendet', to: 'An', subject: 'Betreff' },
  outlookDate: 'Montag, 23. November 2026 10:00',
  gmxDate: 'Montag, 23. November 2026 um 10:00 Uhr',
  original: 'Ursprüngliche Nachricht',
  originalDate: '23.11.26  10:00  (GMT+01:00)',
  date: 'Datum',
}

const french: Language = {
  name: 'French',
  reply:
    "Bonjour Ada,\n\nmerci de votre patience. **Quelle lampe** est-ce, et où habitez-vous ?\n\n- La commande a un numéro\n- La lampe a un numéro de série\n\n1. Débranchez la lampe\n2. Prenez une photo\n3. Envoyez la photo\n\nLes deux sont sur [notre page](https://shop.test/lampes). L'étiquette est blanche et se trouve le plus souvent sous la lampe, près de l'interrupteur.",
  short: 'Laquelle ?',
  first:
    'Bonjour,\n\nla lampe de notre couloir est cassée depuis lundi.\nElle est arrivée en mai.\n\nAda Lovelace',
  own: ['La bleue, à Lyon.', 'Oui !', 'Merci beaucoup\nAda'],
  sentFrom: 'Envoyé de mon iPhone',
  gmail: (name, address) => `Le lun. 23 nov. 2026 à 10:00, ${name} <${address}> a écrit :`,
  apple: (name, address) => `Le 23 nov. 2026 à 10:00, ${name} <${address}> a écrit :`,
  thunderbird: (name) => `Le 23/11/2026 à 10:00, ${name} a écrit\u00a0:`,
  yahoo: (name, address) => `Le lundi 23 novembre 2026 à 10:00:00 UTC+1, ${name} <${address}> a écrit :`,
  proton: (name, address) => `Le lundi 23 novembre 2026 à 10:00, ${name} <${address}> a écrit :`,
  k9: (name, address) => `Le 23 novembre 2026 10:00:00 GMT+01:00, ${name} <${address}> a écrit :`,
  labels: { from: 'De', sent: 'Envoyé', to: 'À', subject: 'Objet' },
  outlookDate: 'lundi 23 novembre 2026 10:00',
  gmxDate: 'lundi 23 novembre 2026 à 10:00',
  original: "Message d'origine",
  originalDate: '23/11/2026 10:00 (GMT+01:00)',
  date: 'Date',
}

const spanish: Language = {
  name: 'Spanish',
  reply:
    'Hola Ada:\n\ngracias por su paciencia. ¿**Qué lámpara** es, y dónde vive usted?\n\n- El pedido tiene un número\n- La lámpara tiene un número de serie\n\n1. Desenchufe la lámpara\n2. Haga una foto\n3. Envíe la foto\n\nLos dos están en [nuestra página](https://shop.test/lamparas). La etiqueta es blanca y está casi siempre debajo de la lámpara, al lado del interruptor.',
  short: '¿Cuál?',
  first:
    'Buenos días:\n\nla lámpara de nuestro pasillo está rota desde el lunes.\nLlegó en mayo.\n\nAda Lovelace',
  own: ['La azul, en Madrid.', '¡Sí!', 'Muchas gracias\nAda'],
  sentFrom: 'Enviado desde mi iPhone',
  gmail: (name, address) => `El lun, 23 nov 2026 a las 10:00, ${name} (<${address}>) escribió:`,
  apple: (name, address) => `El 23 nov 2026, a las 10:00, ${name} <${address}> escribió:`,
  thunderbird: (name) => `El 23/11/26 a las 10:00, ${name} escribió:`,
  yahoo: (name, address) => `El lunes, 23 de noviembre de 2026, 10:00:00 CET, ${name} <${address}> escribió:`,
  proton: (name, address) => `El lunes, 23 de noviembre de 2026 a las 10:00, ${name} <${address}> escribió:`,
  k9: (name, address) => `El 23 de noviembre de 2026 10:00:00 CET, ${name} <${address}> escribió:`,
  labels: { from: 'De', sent: 'Enviado', to: 'Para', subject: 'Asunto' },
  outlookDate: 'lunes, 23 de noviembre de 2026 10:00',
  gmxDate: 'lunes, 23 de noviembre de 2026, 10:00',
  original: 'Mensaje original',
  originalDate: '23/11/26 10:00 (GMT+01:00)',
  date: 'Fecha',
}

const japanese: Language = {
  name: 'Japanese',
  reply:
    'エイダ様\n\nお待ちいただきありがとうございます。**どのランプ**でしょうか。ご住所もお知らせください。\n\n- ご注文番号があります\n- ランプには製造番号があります\n\n1. プラグを抜く\n2. 写真を撮る\n3. 送る\n\nどちらも[こちらのページ](https://shop.test/lamps)に載っています。白いラベルは、たいていスイッチのすぐ横に貼ってあります。',
  short: 'どれですか。',
  first: 'おはようございます。\n\n玄関のランプが月曜日から壊れています。\n五月に届きました。\n\nエイダ',
  own: ['青い方です。大阪です。', 'はい。', '宜しくお願い致します\nラブレス'],
  sentFrom: 'iPhoneから送信',
  gmail: (name, address) => `2026年11月23日(月) 10:00 ${name} <${address}>:`,
  apple: (name, address) => `2026/11/23 10:00、${name} <${address}>のメール:`,
  thunderbird: (name) => `On 2026/11/23 10:00, ${name} wrote:`,
  yahoo: (name, address) => `2026年11月23日月曜日 10:00:00 JST、${name} <${address}> さんが書きました:`,
  proton: (name, address) => `2026年11月23日 月曜日 10:00 に、${name} <${address}> さんは書きました:`,
  k9: (name, address) => `2026年11月23日 10:00:00 JST, ${name} <${address}>のメッセージ:`,
  labels: { from: '差出人', sent: '送信日時', to: '宛先', subject: '件名' },
  outlookDate: '2026年11月23日 10:00',
  gmxDate: '2026年11月23日 10:00',
  original: '元のメッセージ',
  originalDate: '2026/11/23 10:00 (GMT+09:00)',
  date: '日付',
}

export const languages: readonly Language[] = [english, german, french, spanish, japanese]
