import { defineTexts } from '../../ui/texts.ts'

/** Words that several parts of the dashboards need. */
export const boardTexts = defineTexts({
  plot: ['Plot', 'Diagramm'],
  gauge: ['Gauge', 'Anzeige'],
  table: ['Table', 'Tabelle'],
  map: ['Map', 'Karte'],
  nameWanted: ['A name has 1 to 200 characters.', 'Ein Name hat 1 bis 200 Zeichen.'],
  missing: [
    'What this panel shows was deleted, or you may not see it.',
    'Was hier stand, wurde gelöscht, oder Sie dürfen es nicht sehen.',
  ],
  noAssets: ['There is no asset that you may see.', 'Es gibt keine Anlage, die Sie sehen dürfen.'],
  noValue: ['no value yet', 'noch kein Wert'],
  noPlaces: ['None of these assets has a location.', 'Keine dieser Anlagen hat einen Ort.'],
  period: ['Period', 'Zeitraum'],
  '1h': ['Last hour', 'Letzte Stunde'],
  '24h': ['Last 24 hours', 'Letzte 24 Stunden'],
  '7d': ['Last 7 days', 'Letzte 7 Tage'],
  '30d': ['Last 30 days', 'Letzte 30 Tage'],
  '365d': ['Last year', 'Letztes Jahr'],
})
