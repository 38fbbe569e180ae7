import type { Reading } from '../reading.ts'
import { credentialRefused, RefusedError } from '../source-error.ts'
import { contentOf, cut, idOf, isRow, type Row, rowsOf, textOf } from '../values.ts'

/** Only an administrator sees the conversations of every inbox. */
export async function checkAccount({ client }: Reading): Promise<void> {
  const account = client.options.base.pathname.split('/').at(-2) ?? ''
  try {
    const { accounts } = await client.ask('../../profile')
    const own = rowsOf(accounts).find(({ id }) => idOf(id) === account)
    if (own === undefined) throw credentialRefused('Chatwoot', `it has no access to account ${account}.`)
    if (own['role'] !== 'administrator')
      throw credentialRefused('Chatwoot', 'only an administrator can export an account.')
  } catch (error) {
    if (error instanceof RefusedError)
      throw credentialRefused('Chatwoot', `it answered with ${error.status}.`)
    throw error
  }
}

/** Lists without pages are arrays, or have an array as their payload. */
async function listOf({ client }: Reading, path: string): Promise<Row[]> {
  const answer = await client.askAny(path)
  return rowsOf(isRow(answer) ? answer['payload'] : answer)
}

export async function readAgents(reading: Reading): Promise<void> {
  await writeAgents(reading, await listOf(reading, 'agents'))
}

export async function writeAgents(reading: Reading, agents: readonly Row[]): Promise<void> {
  for (const agent of agents) {
    const id = idOf(agent['id'])
    if (id === undefined) continue
    await reading.write('agents', {
      id,
      name: textOf(agent['name']) ?? id,
      email: textOf(agent['email']) ?? null,
      role: textOf(agent['role']) ?? null,
      isActive: true,
    })
  }
}

const channels: Readonly<
  Record<string, 'email' | 'whatsapp' | 'facebook' | 'instagram' | 'twitter' | 'sms'>
> = {
  'Channel::Email': 'email',
  'Channel::Whatsapp': 'whatsapp',
  'Channel::FacebookPage': 'facebook',
  'Channel::Instagram': 'instagram',
  'Channel::TwitterProfile': 'twitter',
  'Channel::Sms': 'sms',
}

export function channelOf(
  row: Row,
): 'email' | 'whatsapp' | 'facebook' | 'instagram' | 'twitter' | 'sms' | 'chat' {
  const type = textOf(row['channel_type']) ?? textOf(row['channel']) ?? ''
  if (type === 'Channel::TwilioSms') return row['medium'] === 'whatsapp' ? 'whatsapp' : 'sms'
  return Object.hasOwn(channels, type) ? (channels[type] ?? 'chat') : 'chat'
}

export async function readInboxes(reading: Reading): Promise<void> {
  await writeInboxes(reading, await listOf(reading, 'inboxes'))
}

/** An administrator is shown the passwords of mail servers here; only these fields are taken. */
export async function writeInboxes(reading: Reading, inboxes: readonly Row[]): Promise<void> {
  for (const inbox of inboxes) {
    const id = idOf(inbox['id'])
    if (id === undefined) continue
    await reading.write('inboxes', {
      id,
      name: textOf(inbox['name']) ?? id,
      channel: channelOf(inbox),
      address: textOf(inbox['email']) ?? textOf(inbox['phone_number']) ?? null,
    })
  }
}

export async function readLabels(reading: Reading): Promise<void> {
  await writeLabels(reading, await listOf(reading, 'labels'))
}

export async function writeLabels(reading: Reading, labels: readonly Row[]): Promise<void> {
  for (const label of labels) {
    const name = textOf(label['title'], 200)
    if (name === undefined || reading.has('labels', name)) continue
    await reading.write('labels', { id: name, name, color: textOf(label['color']) ?? null })
  }
}

export async function readReplies(reading: Reading): Promise<void> {
  await writeReplies(reading, await listOf(reading, 'canned_responses'))
}

export async function writeReplies(reading: Reading, replies: readonly Row[]): Promise<void> {
  for (const reply of replies) {
    const id = idOf(reply['id'])
    if (id === undefined) continue
    const shortcut = textOf(reply['short_code'])
    const { content } = contentOf(reply['content'])
    await reading.write('replies', {
      id,
      title: shortcut ?? id,
      content,
      contentType: 'markdown',
      shortcut: shortcut ?? null,
    })
  }
}

const models = [
  { fact: 'conversationFields', model: 0 },
  { fact: 'contactFields', model: 1 },
] as const

export async function readFieldNames(reading: Reading): Promise<void> {
  const definitions: Row[] = []
  for (const { model } of models) {
    try {
      const rows = await listOf(reading, `custom_attribute_definitions?attribute_model=${model}`)
      definitions.push(...rows.map((row) => ({ ...row, model })))
    } catch (error) {
      // Without their names the fields keep their keys.
      if (!(error instanceof RefusedError)) throw error
    }
  }
  learnFieldNames(reading, definitions)
}

/** The names that people gave to their own fields; `model` says of what the field is. */
export function learnFieldNames(reading: Reading, definitions: readonly Row[]): void {
  for (const { fact, model } of models) {
    const names = definitions.flatMap((row): [string, string][] => {
      const key = textOf(row['attribute_key'])
      if (row['model'] !== model || key === undefined) return []
      return [[key, cut(textOf(row['attribute_display_name']) ?? key, 100)]]
    })
    reading.learn(fact, Object.fromEntries(names))
  }
}
