import { ApiError } from '@millrace/client'
import { currentLanguage, defineTexts } from './texts.ts'

const titles = defineTexts({
  unreachable: ['Millrace cannot be reached', 'Millrace ist nicht erreichbar'],
  timeout: ['Millrace did not answer in time', 'Millrace hat nicht rechtzeitig geantwortet'],
  not_an_api: ['The answer cannot be read', 'Die Antwort ist nicht lesbar'],
  unknown_credential: ['Not signed in', 'Nicht angemeldet'],
  forbidden: ['Your role does not permit this', 'Ihre Rolle erlaubt das nicht'],
  sign_in_locked: ['Too many failed sign-ins', 'Zu viele fehlgeschlagene Anmeldungen'],
  passwords_differ: ['Check what you typed', 'Prüfen Sie Ihre Eingabe'],
  not_found: ['It is not there', 'Das gibt es nicht'],
  unknown_identity: ['There is no such device', 'Dieses Gerät gibt es nicht'],
  too_complex: ['Too much at once', 'Zu viel auf einmal'],
  cost_exceeded: ['Too much at once', 'Zu viel auf einmal'],
  answer_too_large: ['Too much at once', 'Zu viel auf einmal'],
  list_too_long: ['Too much at once', 'Zu viel auf einmal'],
  overloaded: ['Millrace is busy', 'Millrace ist ausgelastet'],
  server_closed: ['Millrace is closing', 'Millrace wird beendet'],
  log_unavailable: [
    'The event log cannot be written',
    'Das Ereignisprotokoll ist nicht beschreibbar',
  ],
  time_exceeded: ['It took too long', 'Es hat zu lange gedauert'],
  internal: ['Something broke inside Millrace', 'In Millrace ist ein Fehler aufgetreten'],
  console_broken: ['This page has a fault', 'Diese Seite hat einen Fehler'],
  other: ['The request was refused', 'Die Anfrage wurde abgelehnt'],
})

/** In the place of what the client says, which knows no operator. */
const sentences = defineTexts({
  unreachable: [
    'Nothing answers at this address. Is the server running?',
    'Unter dieser Adresse antwortet nichts. Läuft der Server?',
  ],
  timeout: [
    'The server took too long. It is asked again in a moment.',
    'Der Server brauchte zu lange. Gleich wird er noch einmal gefragt.',
  ],
  not_an_api: [
    'Something other than Millrace answered, perhaps a proxy.',
    'Etwas anderes als Millrace hat geantwortet, vielleicht ein Proxy.',
  ],
  internal: ["The server's own log says what.", 'Näheres steht im Protokoll des Servers.'],
})

/** An error as operators read it. */
export type ErrorWords = {
  readonly title: string
  readonly message: string
  /** A code of the API, or of the client. */
  readonly code: string
}

export function toErrorWords(error: Error): ErrorWords {
  const language = currentLanguage()
  const named: Readonly<Record<string, string>> = titles[language]
  if (!(error instanceof ApiError)) {
    return {
      title: titles[language].console_broken,
      message: error.message,
      code: 'console_broken',
    }
  }
  const { code, message } = error
  const own: Readonly<Record<string, string>> = sentences[language]
  return {
    title: named[code] ?? titles[language].other,
    message: own[code] ?? message,
    code,
  }
}

/** Returns whether the error has the code. */
export function hasCode(error: unknown, code: string): error is ApiError {
  return error instanceof ApiError && error.code === code
}

/** Returns whether the server is out of reach, whatever the request was. */
export function isOutage(error: Error | null): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || error.code === 'not_an_api')
}
