interface ServerEvent {
  id: string
  data: string
}

/** Reads server-sent events from pieces of text, which end anywhere. An event without data only sets the position. */
export class EventParser {
  #rest = ''
  #data: string[] = []
  #id = ''

  push(piece: string): ServerEvent[] {
    const lines = (this.#rest + piece).split(/\r\n|\n/)
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#line(line))
  }

  #line(line: string): ServerEvent[] {
    if (line.startsWith('id:')) this.#id = line.slice(3).trim()
    else if (line.startsWith('data:')) this.#data.push(line.slice(5).replace(/^ /, ''))
    if (line !== '') return []
    const event = { id: this.#id, data: this.#data.join('\n') }
    this.#data = []
    return event.id === '' && event.data === '' ? [] : [event]
  }
}
