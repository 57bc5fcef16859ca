import type { Failure, Stage } from '../../api/failures.ts'
import { defineTexts } from '../../ui/texts.ts'

const stageNames: Readonly<Record<Stage, string>> = {
  values: 'Values of devices',
  functions: 'Functions',
  scripts: 'Scripts',
  'functions.calls': 'Calls of modules',
  deliveries: 'Calls of scripts',
  notifications: 'Notifications',
}

export const texts = defineTexts(
  {
    title: 'Failures',
    list: 'What failed',
    stage: 'Stage',
    all: 'All stages',
    none: 'Nothing failed. What fails at a stage is kept here until it is sent again or discarded.',
    noneOf: 'Nothing failed at this stage.',
    ...stageNames,
    retryAll: 'Retry all',
    discardAll: 'Discard all',
    discardAllTitle: (stage: string) => `Discard all: ${stage}?`,
    discardAllLoss:
      'What failed at the stage is gone with its input, also what is not on this page.',
    gone: 'It is not there any more: it was sent again or discarded.',
    sent: 'It was sent again. If it fails once more, it comes back to the list.',
    newest: 'Newest',
    older: 'Older',
    reason: 'Reason',
    code: 'Code',
    failed: 'Failed',
    created: 'Created',
    tries: 'Tries',
    trackingId: 'Tracking id',
    final: 'It cannot be sent again:',
    about: 'About',
    input: 'Input',
    inputHint: 'JSON. It may be corrected before it is sent again.',
    notKept: 'The input is not kept any more.',
    wrong: 'This is no JSON:',
    retry: 'Retry',
    retryCorrected: 'Retry as corrected',
    discard: 'Discard',
    discardTitle: 'Discard what failed?',
    discardLoss: 'It is gone with its input, and is not sent again.',
    lines: 'Log of the call',
    trace: 'Trace',
  },
  {
    de: {
      title: 'Fehlschläge',
      list: 'Was fehlschlug',
      stage: 'Stufe',
      all: 'Alle Stufen',
      none:
        'Nichts schlug fehl. Was an einer Stufe fehlschlägt, bleibt hier, bis es erneut ' +
        'gesendet oder verworfen wird.',
      noneOf: 'An dieser Stufe schlug nichts fehl.',
      values: 'Werte von Geräten',
      functions: 'Funktionen',
      scripts: 'Skripte',
      'functions.calls': 'Aufrufe von Modulen',
      deliveries: 'Aufrufe von Skripten',
      notifications: 'Benachrichtigungen',
      retryAll: 'Alle wiederholen',
      discardAll: 'Alle verwerfen',
      discardAllTitle: (stage: string) => `Alle verwerfen: ${stage}?`,
      discardAllLoss:
        'Was an der Stufe fehlschlug, ist samt Eingabe weg, auch was nicht auf dieser Seite steht.',
      gone: 'Es ist nicht mehr da: Es wurde erneut gesendet oder verworfen.',
      sent: 'Es wurde erneut gesendet. Schlägt es wieder fehl, kommt es zurück in die Liste.',
      newest: 'Neueste',
      older: 'Ältere',
      reason: 'Grund',
      code: 'Code',
      failed: 'Fehlgeschlagen',
      created: 'Entstanden',
      tries: 'Versuche',
      trackingId: 'Tracking-ID',
      final: 'Es kann nicht erneut gesendet werden:',
      about: 'Betrifft',
      input: 'Eingabe',
      inputHint: 'JSON. Sie lässt sich berichtigen, bevor sie erneut gesendet wird.',
      notKept: 'Die Eingabe ist nicht mehr vorhanden.',
      wrong: 'Das ist kein JSON:',
      retry: 'Wiederholen',
      retryCorrected: 'Berichtigt wiederholen',
      discard: 'Verwerfen',
      discardTitle: 'Fehlschlag verwerfen?',
      discardLoss: 'Es ist samt Eingabe weg und wird nicht erneut gesendet.',
      lines: 'Protokoll des Aufrufs',
      trace: 'Ablaufverfolgung',
    },
  },
)

/** What a failure is about, on one line. */
export function subjectOf({ about }: Failure): string {
  const { device, asset, link_name: link, solution, event, channel } = about
  const parts = [device, asset, link, solution, event, channel]
  return parts.filter((part) => part !== undefined).join(' · ')
}
