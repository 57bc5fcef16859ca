import { defineTexts } from '../../../ui/texts.ts'

export const signInTexts = defineTexts({
  step: ['Second step', 'Zweiter Schritt'],
  demanded: ['Everyone needs a second step', 'Alle brauchen einen zweiten Schritt'],
  free: ['Each user decides', 'Jeder entscheidet selbst'],
  stepMeaning: [
    'A code of an app beside the password. API tokens have none.',
    'Ein Code aus einer App zusätzlich zum Passwort. API-Tokens haben keinen.',
  ],
  demand: ['Demand it of everyone', 'Von allen verlangen'],
  release: ['Demand it no longer', 'Nicht mehr verlangen'],
  demandTitle: ['Demand a second step of everyone?', 'Einen zweiten Schritt von allen verlangen?'],
  demandLoss: [
    'Users without one are signed out within a second, you, too, if you have none. They set ' +
      'it up at the next sign-in; it takes an authenticator app.',
    'Wer keinen hat, wird binnen einer Sekunde abgemeldet, auch Sie. Er wird bei der nächsten ' +
      'Anmeldung eingerichtet; dazu braucht es eine Authenticator-App.',
  ],
  releaseTitle: ['Demand the second step no longer?', 'Den zweiten Schritt nicht mehr verlangen?'],
  releaseLoss: [
    'Who has set it up keeps it, and may remove it.',
    'Wer ihn eingerichtet hat, behält ihn und kann ihn entfernen.',
  ],
  provider: ['Sign-in provider (OpenID Connect)', 'Anmeldedienst (OpenID Connect)'],
  noProvider: [
    'Users sign in by a password. With a provider such as Entra ID, Google or Keycloak they ' +
      'sign in with the account that they have there.',
    'Benutzer melden sich mit einem Passwort an. Mit einem Dienst wie Entra ID, Google oder ' +
      'Keycloak melden sie sich mit dem Konto an, das sie dort haben.',
  ],
  add: ['Set up a provider', 'Anmeldedienst einrichten'],
  removeTitle: ['Remove the provider?', 'Den Anmeldedienst entfernen?'],
  removeLoss: [
    'Users sign in by a password again. Open sessions stay until they end.',
    'Benutzer melden sich wieder mit einem Passwort an. Offene Sitzungen bleiben bis zu ihrem ' +
      'Ende.',
  ],
  save: ['Save the provider', 'Anmeldedienst speichern'],
  label: ['Name on the button', 'Name auf der Schaltfläche'],
  labelHint: ['Sign in with …', 'Anmelden mit …'],
  issuer: ['Issuer', 'Aussteller (Issuer)'],
  issuerHint: [
    'The URL of the provider, as its tokens name it.',
    'Die URL des Dienstes, wie seine Tokens sie nennen.',
  ],
  clientId: ['Client id', 'Client-ID'],
  secret: ['Client secret', 'Client-Geheimnis'],
  secretKept: ['Empty: the one that is stored stays.', 'Leer: das gespeicherte bleibt.'],
  domains: ['Domains of e-mail addresses', 'Domains der E-Mail-Adressen'],
  domainsHint: [
    'One a line. Only addresses of these domains may sign in there.',
    'Eine je Zeile. Nur Adressen dieser Domains melden sich dort an.',
  ],
  role: ['Role of new users', 'Rolle neuer Benutzer'],
  noRole: ['none: only users and invited people', 'keine: nur Benutzer und Eingeladene'],
  roleHint: [
    'Who signs in for the first time becomes a user with it.',
    'Wer sich zum ersten Mal anmeldet, wird Benutzer mit dieser Rolle.',
  ],
  redirect: ['Address that the provider must allow', 'Adresse, die der Dienst erlauben muss'],
  limits: ['Sessions and lock-outs', 'Sitzungen und Sperren'],
  operator: ['Set by the operator of the instance.', 'Vom Betreiber der Instanz festgelegt.'],
  session: ['A session ends after', 'Eine Sitzung endet nach'],
  failures: ['Failed sign-ins until a lock', 'Fehlversuche bis zur Sperre'],
  lock: ['First lock', 'Erste Sperre'],
  lockMost: ['Longest lock', 'Längste Sperre'],
  password: ['Shortest password', 'Kürzestes Passwort'],
  hours: (count: number) => [
    count === 1 ? '1 hour' : `${count} hours`,
    count === 1 ? '1 Stunde' : `${count} Stunden`,
  ],
  seconds: (count: number) => [`${count} s`, `${count} s`],
  minutes: (count: number) => [`${count} min`, `${count} min`],
  characters: (count: number) => [`${count} characters`, `${count} Zeichen`],
})
