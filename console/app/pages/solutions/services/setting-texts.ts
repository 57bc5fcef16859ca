import type { PayloadSchema } from '../../../components/schema-form/schema.ts'
import { defineGerman } from '../../../ui/texts.ts'

/**
 * The texts of the schemas of the platform's services, by the English text, which is theirs; one
 * that is missing is shown as the service has it.
 */
export const settingTexts = defineGerman({
  Credentials: 'Zugangsdaten',
  'Lines of `name=value`, or JSON: `{name: {value, hosts}}`; requests name `{{name}}`.':
    'Zeilen mit name=wert, oder JSON: {name: {value, hosts}}; Anfragen nennen {{name}}.',
  'Hosts of the credentials': 'Hosts der Zugangsdaten',
  'Credentials without hosts are sent wherever a script sends them.':
    'Zugangsdaten ohne Hosts werden gesendet, wohin ein Skript sie sendet.',
  'Names of the credentials': 'Namen der Zugangsdaten',
  'TLS of all requests': 'TLS aller Anfragen',
  'For TLS: `key` and `cert` together, and `cacerts`, as PEM texts.':
    'Für TLS: key und cert zusammen, und cacerts, als PEM-Texte.',
  Key: 'Schlüssel',
  'The key of the client certificate, as PEM.': 'Der Schlüssel des Client-Zertifikats, als PEM.',
  Certificate: 'Zertifikat',
  'The client certificate, as PEM.': 'Das Client-Zertifikat, als PEM.',
  Authorities: 'Zertifizierungsstellen',
  'The authorities to trust, as PEM: one or several.':
    'Die Zertifizierungsstellen, denen vertraut wird, als PEM: eine oder mehrere.',
  'TLS texts that are set': 'Gesetzte TLS-Texte',
  'The pages of other origins that may call it.':
    'Die Seiten anderer Ursprünge, die ihn aufrufen dürfen.',
  Origins: 'Ursprünge',
  '`*`: all.': '*: alle.',
  Methods: 'Methoden',
  'Headers of requests': 'Header der Anfragen',
  'With credentials': 'Mit Zugangsdaten',
  'API keys': 'API-Schlüssel',
  'By name; a caller sends one in the header `x-api-key`.':
    'Nach Namen; wer aufruft, sendet einen im Header x-api-key.',
  'Documented endpoints': 'Dokumentierte Endpunkte',
  'Tags, paths, or names such as `GET /x`. Without them: all.':
    'Tags, Pfade oder Namen wie GET /x. Ohne sie: alle.',
  'About the API': 'Über die API',
  'The `info` of its OpenAPI document.': 'Das info ihres OpenAPI-Dokuments.',
  'Security schemes': 'Sicherheitsschemata',
  'The credentials that its OpenAPI document names.':
    'Die Zugangsdaten, die ihr OpenAPI-Dokument nennt.',
  Security: 'Sicherheit',
  'Of endpoints without `--#SECURITY`: `basic`, `bearer`, `apiKey`, or with `platform`.':
    'Von Endpunkten ohne --#SECURITY: basic, bearer, apiKey, oder mit platform.',
  Schema: 'Schema',
  '`paths` and `definitions` of its OpenAPI document.':
    'paths und definitions ihres OpenAPI-Dokuments.',
  'Restricted settings that are set': 'Gesetzte geschützte Einstellungen',
  Schedule: 'Zeitplan',
  'The times in UTC at which the handler is called.':
    'Die Zeiten in UTC, zu denen der Handler aufgerufen wird.',
  Hourly: 'Stündlich',
  Daily: 'Täglich',
  Weekly: 'Wöchentlich',
  Monthly: 'Monatlich',
  Yearly: 'Jährlich',
  Headers: 'Header',
  'Of each answer whose script does not set them.': 'Jeder Antwort, deren Skript sie nicht setzt.',
  'Default page': 'Startseite',
  'The static file that answers for a folder.': 'Die statische Datei für einen Ordner.',
  'Rate limit': 'Ratengrenze',
  'Requests a minute, of endpoints without a rate of their own; 0: any number.':
    'Anfragen pro Minute, von Endpunkten ohne eigene Rate; 0: beliebig viele.',
  'Account SID': 'SID des Kontos',
  'The account at Twilio, and of the REST API.': 'Das Konto bei Twilio und der REST-API.',
  'Auth token': 'Auth-Token',
  'The secret of the account.': 'Das Geheimnis des Kontos.',
  'Messaging service SID': 'SID des Nachrichtendienstes',
  'The sender of SMS, at Twilio.': 'Der Absender von SMS, bei Twilio.',
  'Service SID': 'SID des Dienstes',
  'The only service of the REST API; empty: all.': 'Der einzige Dienst der REST-API; leer: alle.',
  Providers: 'Anbieter',
  'By channel; without one the channel has a sink, which sends nothing.':
    'Je Kanal; ohne Anbieter hat der Kanal eine Senke, die nichts versendet.',
  'Key id': 'ID des Schlüssels',
  'The id of the key.': 'Die ID des Schlüssels.',
  'Team id': 'ID des Teams',
  'The id of the team.': 'Die ID des Teams.',
  Topic: 'Thema',
  'The id of the application.': 'Die ID der Anwendung.',
  'Private key': 'Privater Schlüssel',
  'The private key, as PEM.': 'Der private Schlüssel, als PEM.',
  'Base URL': 'Basis-URL',
  'The URL of the provider, if it is not the usual one.':
    'Die URL des Anbieters, wenn es nicht die übliche ist.',
  Rate: 'Rate',
  'Attempts that may begin in a second.': 'Versuche, die in einer Sekunde beginnen dürfen.',
  'Other credentials': 'Weitere Zugangsdaten',
  'By the CredentialSid that bindings name.': 'Nach der CredentialSid, die Bindungen nennen.',
  'Service account': 'Dienstkonto',
  'The JSON file of a service account.': 'Die JSON-Datei eines Dienstkontos.',
  'Status callback': 'Statusrückruf',
  'The URL for receipts.': 'Die URL für Quittungen.',
  'The URL that gets each message.': 'Die URL, die jede Nachricht bekommt.',
  Secret: 'Geheimnis',
  'The secret of the signature: `whsec_` and base64.':
    'Das Geheimnis der Signatur: whsec_ und Base64.',
  'Page access token': 'Zugriffstoken der Seite',
  'The token of the page.': 'Das Token der Seite.',
  'API version': 'API-Version',
  'The version of the API.': 'Die Version der API.',
  'Message tag': 'Kennzeichen',
  'The tag of each message.': 'Das Kennzeichen jeder Nachricht.',
  'OpenAPI document': 'OpenAPI-Dokument',
  'It describes the operations: an object, or its text.':
    'Es beschreibt die Operationen: ein Objekt oder sein Text.',
  'In place of that of the document.': 'Statt der des Dokuments.',
  Variables: 'Variablen',
  'Of the URL: host names, or parts of them.': 'Der URL: Hostnamen oder Teile davon.',
  Events: 'Ereignisse',
  'Beside the callbacks of the document.': 'Neben den Callbacks des Dokuments.',
  'The most requests a minute.': 'Höchstens so viele Anfragen pro Minute.',
  '`key`; `username` and `password`; `token`; or `client_id` and `client_secret`.':
    'key; username und password; token; oder client_id und client_secret.',
  'By the security scheme of the document.': 'Nach dem Sicherheitsschema des Dokuments.',
  'Credentials that are set': 'Gesetzte Zugangsdaten',
  'Forward events': 'Ereignisse weitergeben',
  'When it is added: a handler triggers its events for subscribers.':
    'Beim Hinzufügen: Ein Handler löst seine Ereignisse für Abonnenten aus.',
  'Own connector': 'Eigener Konnektor',
  'A file of the solution describes it.': 'Eine Datei der Lösung beschreibt ihn.',
})

/** The schema with its texts in the language of the page. */
export function inLanguage(
  schema: PayloadSchema,
  texts: Readonly<Record<string, string>>,
): PayloadSchema {
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    const entries = Object.entries(part).map(([name, value]) => {
      const isText = (name === 'title' || name === 'description') && typeof value === 'string'
      return [name, isText ? (texts[value] ?? value) : walk(value)]
    })
    return Object.fromEntries(entries)
  }
  return walk(schema) as PayloadSchema
}
