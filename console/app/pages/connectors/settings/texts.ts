import { defineTexts } from '../../../ui/texts.ts'

/** The names of the settings of a connector, for their form and where they are shown. */
export const settingTexts = defineTexts({
  host: ['Host that devices call', 'Host, den Geräte aufrufen'],
  protocol: ['Protocol', 'Protokoll'],
  devmode: ['Developer mode', 'Entwicklermodus'],
  devmodeTick: [
    'Developer mode: devices may connect without encryption',
    'Entwicklermodus: Geräte dürfen sich unverschlüsselt verbinden',
  ],
  devmodeOn: [
    'on: devices may connect without encryption',
    'an: Geräte dürfen sich unverschlüsselt verbinden',
  ],
  enabled: ['Provisioning', 'Provisionierung'],
  enabledTick: [
    'Provisioning: devices may activate',
    'Provisionierung: Geräte dürfen sich aktivieren',
  ],
  selfRegistration: ['Self-registration', 'Selbstregistrierung'],
  selfRegistrationTick: [
    'Self-registration: devices need not be whitelisted first',
    'Selbstregistrierung: Geräte brauchen keine Freigabe vorab',
  ],
  authType: ['Authentication method', 'Authentifizierung'],
  authTypeHint: [
    'Devices that are provisioned keep theirs.',
    'Provisionierte Geräte behalten ihre bisherige.',
  ],
  format: ['Identity format', 'Format der Identitäten'],
  identityType: ['Identity type', 'Art der Identität'],
  prefix: ['Identity prefix', 'Präfix der Identität'],
  prefixHint: ['Every identity begins with it.', 'Jede Identität beginnt damit.'],
  length: ['Identity length', 'Länge der Identität'],
  lengthHint: [
    'Characters after the prefix; empty for any number.',
    'Zeichen nach dem Präfix; leer: beliebig viele.',
  ],
  casing: ['Letters', 'Buchstaben'],
  identitiesMax: ['Most identities', 'Höchstzahl der Identitäten'],
  registrationsPerMinute: [
    'Self-registrations a minute from one address',
    'Selbstregistrierungen je Minute von einer Adresse',
  ],
  restriction: [
    'Addresses devices are provisioned from',
    'Adressen, von denen Geräte provisioniert werden',
  ],
  restrictionTick: [
    'Restrict IP addresses: devices are provisioned from these alone',
    'IP-Adressen beschränken: Provisionierung nur von diesen',
  ],
  allowed: ['Addresses and ranges, one a line', 'Adressen und Bereiche, je Zeile einer'],
  reprovision: ['Provisioning a device again', 'Erneute Provisionierung'],
  reprovisionData: [
    'Values of a device that is provisioned again',
    'Werte eines erneut provisionierten Geräts',
  ],
  pki: ['PKI', 'PKI'],
  pkiTick: [
    'Enable PKI: devices present certificates of a client CA',
    'PKI verwenden: Geräte legen Zertifikate einer Client-CA vor',
  ],
  ca: ['Client CA certificate (PEM)', 'Zertifikat der Client-CA (PEM)'],
  vendor: ['Certificate vendor', 'Zertifikatsanbieter'],
  vendorHint: [
    'Without one, devices present certificates that the client CA has signed.',
    'Ohne ihn legen Geräte Zertifikate vor, die die Client-CA signiert hat.',
  ],
  profile: ['Profile name', 'Name des Profils'],
  apiKey: ['API key', 'API-Schlüssel'],
  apiKeySet: [
    'A key is stored and never shown; empty keeps it.',
    'Ein Schlüssel ist gespeichert und wird nie gezeigt; leer: er bleibt.',
  ],
  validityMonths: ['Validity in months', 'Gültigkeit in Monaten'],
  validityHint: ['Empty for that of the vendor.', 'Leer: die des Anbieters.'],
  vendorUrl: ['Address of the vendor', 'Adresse des Anbieters'],
  vendorUrlHint: ['Empty for the usual one.', 'Leer: die übliche.'],
  any: ['any', 'beliebig'],
  on: ['on', 'an'],
})

/** The words for the values of settings. */
export const choiceTexts = defineTexts({
  token: ['token', 'Token'],
  password: ['password', 'Passwort'],
  certificate: ['TLS client certificate', 'TLS-Client-Zertifikat'],
  opaque: ['opaque string', 'beliebiger Text'],
  number: ['number', 'Zahl'],
  mac_colon: ['MAC address with colons', 'MAC-Adresse mit Doppelpunkten'],
  mac_dash: ['MAC address with dashes', 'MAC-Adresse mit Bindestrichen'],
  mac_plain: ['MAC address without separators', 'MAC-Adresse ohne Trennzeichen'],
  uuid: ['UUIDv4', 'UUIDv4'],
  any: ['any case', 'groß oder klein'],
  mixed: ['mixed case', 'gemischt'],
  upper: ['upper case', 'groß'],
  lower: ['lower case', 'klein'],
  on_order: ['on order', 'auf Anordnung'],
  keep: ['are kept', 'bleiben'],
  anew: ['are cleared', 'werden gelöscht'],
  noVendor: ['none', 'keiner'],
  internal: ['built-in authority', 'eingebaute Zertifizierungsstelle'],
  cfssl: ['CFSSL', 'CFSSL'],
  est: ['EST', 'EST'],
  digicert: ['DigiCert', 'DigiCert'],
})
