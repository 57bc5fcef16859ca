import { defineTexts } from '../../../ui/texts.ts'

export const auditTexts = defineTexts({
  person: ['Person or token', 'Person oder Token'],
  source: ['Made by', 'Über'],
  action: ['Action', 'Aktion'],
  outcome: ['Outcome', 'Ergebnis'],
  object: ['Object', 'Gegenstand'],
  apply: ['Filter', 'Filtern'],
  clear: ['All entries', 'Alle Einträge'],
  save: ['Save as CSV', 'Als CSV sichern'],
  saved: (count: number) => [
    `Saved the newest ${count} entries; narrow the filter for others.`,
    `Die neuesten ${count} Einträge sind gesichert; engen Sie den Filter für andere ein.`,
  ],
  who: ['Who', 'Wer'],
  what: ['What', 'Was'],
  where: ['From where', 'Von wo'],
  any: ['any', 'beliebig'],
  console: ['Console', 'Konsole'],
  cli: ['Command line', 'Befehlszeile'],
  management: ['Management API', 'Management-API'],
  graphql: ['GraphQL', 'GraphQL'],
  done: ['done', 'ausgeführt'],
  refused: ['refused', 'abgelehnt'],
  none: [
    'Nothing was done yet that is to be noted.',
    'Noch wurde nichts getan, was vermerkt wird.',
  ],
  noneOf: ['Nothing matches.', 'Nichts passt.'],
  newest: ['Newest', 'Neueste'],
  older: ['Older', 'Ältere'],
  kept: [
    'Everything that changes something is noted, also what was refused.',
    'Vermerkt wird alles, was etwas ändert, auch was abgelehnt wurde.',
  ],
})

export const sources = ['console', 'cli', 'management', 'graphql'] as const
