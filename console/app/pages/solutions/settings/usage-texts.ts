import { defineTexts } from '../../../ui/texts.ts'

/** The limits have the names of the reference. */
export const usageTexts = defineTexts({
  title: ['Used', 'Verbrauch'],
  what: ['Of', 'Von'],
  used: ['Used', 'Belegt'],
  max: ['Limit', 'Grenze'],
  share: ['Share', 'Anteil'],
  scriptsMax: ['Scripts', 'Skripte'],
  solutionSourceBytesMax: ['Sources of scripts, bytes', 'Quelltexte, Bytes'],
  configurationsMax: ['Services', 'Dienste'],
  environmentVariablesMax: ['Variables', 'Variablen'],
  keystoreKeysMax: ['Keys of the keystore', 'Schlüssel im Keystore'],
  timersMax: ['Timers', 'Timer'],
  tsdbSeriesMax: ['Time series', 'Zeitreihen'],
  notificationBindingsMax: ['Bindings', 'Bindungen'],
  solutionStaticFilesMax: ['Static files', 'Statische Dateien'],
  solutionStaticBytesMax: ['Static files, bytes', 'Statische Dateien, Bytes'],
  solutionContentsMax: ['Contents', 'Inhalte'],
  solutionContentBytesMax: ['Contents, bytes', 'Inhalte, Bytes'],
})
