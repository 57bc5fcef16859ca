import type { Failure } from '../../api/failures.ts'
import { defineTexts } from '../../ui/texts.ts'

export const texts = defineTexts({
  title: ['Failures', 'Fehlschläge'],
  list: ['What failed', 'Was fehlschlug'],
  all: ['All stages', 'Alle Stufen'],
  none: [
    'Nothing failed. What fails at a stage is kept here until it is sent again or discarded.',
    'Nichts schlug fehl. Was an einer Stufe fehlschlägt, bleibt hier, bis es erneut gesendet ' +
      'oder verworfen wird.',
  ],
  noneOf: ['Nothing failed at this stage.', 'An dieser Stufe schlug nichts fehl.'],
  values: ['Values of devices', 'Werte von Geräten'],
  functions: ['Functions', 'Funktionen'],
  scripts: ['Scripts', 'Skripte'],
  'functions.calls': ['Calls of modules', 'Aufrufe von Modulen'],
  deliveries: ['Calls of scripts', 'Aufrufe von Skripten'],
  notifications: ['Notifications', 'Benachrichtigungen'],
  retryAll: ['Retry all', 'Alle wiederholen'],
  discardAll: ['Discard all', 'Alle verwerfen'],
  discardAllTitle: (stage: string) => [`Discard all: ${stage}?`, `Alle verwerfen: ${stage}?`],
  discardAllLoss: [
    'What failed at the stage is gone with its input, also what is not on this page.',
    'Was an der Stufe fehlschlug, ist samt Eingabe weg, auch was nicht auf dieser Seite steht.',
  ],
  gone: [
    'It is not there any more: it was sent again or discarded.',
    'Es ist nicht mehr da: Es wurde erneut gesendet oder verworfen.',
  ],
  sent: [
    'It was sent again. If it fails once more, it comes back to the list.',
    'Es wurde erneut gesendet. Schlägt es wieder fehl, kommt es zurück in die Liste.',
  ],
  newest: ['Newest', 'Neueste'],
  older: ['Older', 'Ältere'],
  reason: ['Reason', 'Grund'],
  code: ['Code', 'Code'],
  failed: ['Failed', 'Fehlgeschlagen'],
  created: ['Created', 'Entstanden'],
  tries: ['Tries', 'Versuche'],
  trackingId: ['Tracking id', 'Tracking-ID'],
  final: ['It cannot be sent again:', 'Es kann nicht erneut gesendet werden:'],
  about: ['About', 'Betrifft'],
  input: ['Input', 'Eingabe'],
  inputHint: [
    'JSON. It may be corrected before it is sent again.',
    'JSON. Sie lässt sich berichtigen, bevor sie erneut gesendet wird.',
  ],
  notKept: ['The input is not kept any more.', 'Die Eingabe ist nicht mehr vorhanden.'],
  wrong: ['This is no JSON:', 'Das ist kein JSON:'],
  retry: ['Retry', 'Wiederholen'],
  retryCorrected: ['Retry as corrected', 'Berichtigt wiederholen'],
  discard: ['Discard', 'Verwerfen'],
  discardTitle: ['Discard what failed?', 'Fehlschlag verwerfen?'],
  discardLoss: [
    'It is gone with its input, and is not sent again.',
    'Es ist samt Eingabe weg und wird nicht erneut gesendet.',
  ],
  lines: ['Log of the call', 'Protokoll des Aufrufs'],
  trace: ['Trace', 'Ablaufverfolgung'],
})

/** Returns the subject of a failure, on one line. */
export function formatSubject({ about }: Failure): string {
  const { device, asset, link_name: link, solution, event, channel } = about
  const parts = [device, asset, link, solution, event, channel]
  return parts.filter((part) => part !== undefined).join(' · ')
}
