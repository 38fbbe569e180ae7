import type { analytics } from './analytics.ts'
import type { Texts } from './texts.ts'

export const deAnalytics: Texts<typeof analytics> = {
  title: 'Auswertung',
  hint: (zone) =>
    `Tage und Stunden von ${zone}. Die Zahlen sind höchstens 2 Minuten alt. Was wieder geöffnet wird, zählt nicht mehr als geschlossen.`,
  range: 'Zeitraum',
  ranges: { 7: 'Letzte 7 Tage', 28: 'Letzte 28 Tage', 90: 'Letzte 90 Tage', 365: 'Letzte 365 Tage' },
  failed: 'Die Zahlen konnten nicht geladen werden.',
  none: 'Keine Gespräche in diesem Zeitraum',
  noneHint: 'Wählen Sie einen längeren Zeitraum, oder kommen Sie wieder, wenn die ersten begonnen haben.',
  charts: {
    day: 'Gespräche nach Tag',
    response: 'Erste Antwort nach Tag',
    channel: 'Nach Kanal',
    hourOfWeek: 'Begonnen nach Wochentag und Stunde',
    agent: 'Nach Person',
    label: 'Nach Label',
    inbox: 'Nach Eingang',
    usage: 'Anfragen an die API nach Monat',
  },
  columns: {
    day: 'Tag',
    channel: 'Kanal',
    agent: 'Person',
    label: 'Label',
    inbox: 'Eingang',
    weekday: 'Wochentag',
    month: 'Monat',
    created: 'Begonnen',
    closed: 'Geschlossen',
    responses: 'Mit Antwort',
    median: 'Median der ersten Antwort',
    p90: '90 % innerhalb von',
    requests: 'Anfragen',
  },
  before: (count, change) => `${change ? `${change}, ` : ''}${count} im Zeitraum davor`,
  table: 'Tabelle',
  csv: 'Als CSV herunterladen',
  list: (count, name) => `${count}, Gespräche zeigen: ${name}`,
  bars: (chart, most) => `${chart}. Der höchste Balken ist ${most}.`,
  lines: (chart) => `${chart}: die untere Linie ist der Median, die obere sind 90 %.`,
}
